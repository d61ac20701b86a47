-- The newest open alarms of a merchant, few of many, in the order of the list.
create index alarms_open_newest on alarms (merchant_id, created_at desc, id desc) where status in ('active', 'notification');
