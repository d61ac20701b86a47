-- The checklist of a new merchant. Merchants of earlier versions have set up; a merchant that is created begins with null.
alter table merchant_settings add column first_steps_closed_at timestamptz default now();
