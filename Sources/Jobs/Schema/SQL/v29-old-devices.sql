-- Ranges of devices that may have changed are asked for no more.

DROP INDEX learning.devices_written;
ALTER INDEX learning.devices_news RENAME TO devices_written;
