-- A reading's amounts are in the currency that its file names; null is the merchant's (readings of before, which named none other), XXX one
-- that the product does not know.
alter table audits add column currency text check (currency ~ '^[A-Z]{3}$');

alter table audit_intervals drop constraint audit_intervals_kind_check;
alter table audit_intervals add constraint audit_intervals_kind_check
  check (kind in ('first', 'counted', 'rolledOver', 'partlyReset', 'reset', 'boardSwapped', 'otherCurrency', 'notReported'));

-- Readings that were stored as the merchant's money although their file names another currency. The amounts are taken from what was read.
alter table merchants no force row level security;
alter table audits no force row level security;
alter table audit_intervals no force row level security;
with named as (
  select a.merchant_id, a.read_at, a.id, a.content->'money'->>'currency' as currency,
    (a.content->'money'->>'digits')::int = case when a.content->'money'->>'currency' in ('CLP', 'PYG') then 0 else 2 end as fits
  from audits a join merchants m on m.id = a.merchant_id
  where a.content->'money'->>'currency' <> m.currency and a.content->'money'->>'currencySource' <> 'fallback'
), corrected as (
  update audits a set currency = n.currency,
    sales_total = case when n.fits then (a.content #>> '{sales,paid,sinceInitialisation,value}')::bigint end,
    selections_total = case when n.fits then (a.content #>> '{identities,salesBySelection,left}')::bigint end
  from named n where a.merchant_id = n.merchant_id and a.read_at = n.read_at and a.id = n.id
  returning a.merchant_id, a.id
)
-- The worker works these intervals, and those after them, out again.
delete from audit_intervals i using corrected c where i.merchant_id = c.merchant_id and i.audit_id = c.id;
alter table merchants force row level security;
alter table audits force row level security;
alter table audit_intervals force row level security;
