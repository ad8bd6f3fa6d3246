-- A table for the example job, with drafts that were last edited on each of the last hundred days.
CREATE TABLE public.draft (id bigint PRIMARY KEY, edited_at timestamptz NOT NULL);
INSERT INTO public.draft SELECT n, now() - n * interval '1 day' FROM generate_series(1, 100) AS n;
