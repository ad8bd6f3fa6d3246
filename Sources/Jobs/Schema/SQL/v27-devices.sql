-- Which devices the app has changed is found by the row, too.

CREATE INDEX devices_news ON learning.devices (written_in);
