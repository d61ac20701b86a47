-- The trace of a transaction, as W3C Trace Context writes it, which the program sets where it traces; null anywhere else.
create function current_trace() returns text
  language sql stable as $$ select nullif(current_setting('app.trace', true), '') $$;
grant execute on function current_trace to gettone_app, gettone_system;

-- What a command, a message or a job was caused by. Rows of programs that trace nothing have none.
alter table remote_commands add column trace text;
alter table remote_commands alter column trace set default current_trace();
alter table webhook_messages add column trace text;
alter table webhook_messages alter column trace set default current_trace();

create or replace function queue_export(export_id uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if to_regnamespace('graphile_worker') is null then return; end if;
  perform graphile_worker.add_job('writeExport', json_build_object('id', export_id, 'trace', current_trace()),
    job_key => 'export:' || export_id, max_attempts => 10);
end $$;

create or replace function queue_data_retrieval(merchant_id uuid, request_id uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if to_regnamespace('graphile_worker') is null then return; end if;
  perform graphile_worker.add_job('writeHistoricalData',
    json_build_object('merchantId', merchant_id, 'id', request_id, 'trace', current_trace()),
    job_key => 'historicalData:' || request_id, max_attempts => 10);
end $$;

create or replace function queue_report_mails() returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if to_regnamespace('graphile_worker') is null then return; end if;
  perform graphile_worker.add_job('mailReports', json_build_object('trace', current_trace()),
    job_key => 'mailReports', queue_name => 'mailReports', max_attempts => 1);
end $$;
