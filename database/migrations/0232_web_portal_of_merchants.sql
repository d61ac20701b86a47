-- Whether a merchant has the portal is read with its demo at every request, among all merchants: it belongs to the row that every node has.
alter table merchants add column web_portal boolean not null default true;
update merchants set web_portal = false where id = any (array(select merchant_id from merchant_details where not web_portal));
alter table merchant_details drop column web_portal;
