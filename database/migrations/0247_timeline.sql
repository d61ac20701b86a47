-- The timeline of the database as gateways saw it last. It grows when the server was restored, or when a standby took over: what was acknowledged shortly
-- before may be missing then, and machines get an ack that says so.
alter table gateway_listening add column timeline int;
update gateway_listening set timeline = ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int;
