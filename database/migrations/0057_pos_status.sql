-- An open maintenance alarm of any severity makes a machine's POS status a warning, as an open warning does.
comment on column machines.pos_status is 'What open alarms decide of the POS status: 1 correct, 2 warning, 3 critical. The connection decides the rest when it is read.';

update machines set pos_status = 2
where pos_status = 1 and exists (
  select from alarms a where a.merchant_id = machines.merchant_id and a.machine_id = machines.id
    and a.status in ('active', 'notification') and a.category = 'maintenance'
);
