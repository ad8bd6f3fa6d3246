// The learning app's jobs.
