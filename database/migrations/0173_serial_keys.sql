-- Serials of expected machines and of the whitelist are compared without regard to capitals: they are stored in capitals (`serialKey` of
-- the domain). Of entries that are the same then, the enrolled one stays, else the newest.
delete from expected_associations e using expected_associations o
where o.merchant_id = e.merchant_id and upper(o.serial) = upper(e.serial) and o.serial <> e.serial
  and (o.created_at, o.serial) > (e.created_at, e.serial);
update expected_associations set serial = upper(serial) where serial <> upper(serial);

delete from whitelist_entries e using whitelist_entries o
where o.merchant_id = e.merchant_id and upper(o.serial) = upper(e.serial) and o.id <> e.id
  and (o.enrolled_at is not null, o.created_at, o.id) > (e.enrolled_at is not null, e.created_at, e.id);
update whitelist_entries set serial = upper(serial) where serial <> upper(serial);

-- A machine keeps its serial as it reports it.
create index machines_by_serial_key on machines (merchant_id, upper(serial));
