-- What a visit costs the merchant, in minor units. Null or 0: unknown.
alter table merchant_settings add column visit_cost bigint check (visit_cost >= 0);
-- A visit keeps the cost that the merchant had set when it arrived; its lines the cost of a piece on the visit's day.
alter table visits add column cost bigint check (cost > 0);
alter table visit_lines add column unit_cost bigint check (unit_cost >= 0);
-- The list and the reports of visits read a period of all machines, the newest first.
create index visits_by_time on visits (merchant_id, at desc, id desc);
