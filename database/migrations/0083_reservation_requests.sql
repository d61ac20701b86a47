-- The request of a machine that was answered with this reservation, where it is not the reservation's own id: a refund that is held for the
-- machine was created in the portal. A repeated request gets the same answer.
alter table credit_reservations add column request_id uuid;
create index credit_reservations_by_request on credit_reservations (merchant_id, request_id) where request_id is not null;

-- Serials of media are stored in upper case and without spaces.
update transactions set media_serial = upper(regexp_replace(media_serial, '\s', '', 'g')) where media_serial ~ '[[:lower:]]|\s';
