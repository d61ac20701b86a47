-- Programs of 0.1.0 read a merchant's portal switch from its details, and run beside newer ones during an upgrade: it stays there too, written with the
-- one of the merchant's row, as long as an upgrade from 0.1.0 is supported.
alter table merchant_details add column web_portal boolean not null default true;
update merchant_details set web_portal = false where merchant_id = any (array(select id from merchants where not web_portal));
