-- When the sums to date of a day were written. A worker of 0.1.0, which still sums up days while an upgrade runs, writes none: `summed_at` of its days differs
-- from this, and they are summed up again, as are days that it may have summed up while the migrations ran.
alter table summed_days add column to_date_at timestamptz;
update summed_days set to_date_at = summed_at
where summed_at < (select applied_at - interval '1 hour' from migrations where name = '0220_sums_to_date.sql');
create index summed_days_without_sums_to_date on summed_days (day, merchant_id) where to_date_at is distinct from summed_at;
