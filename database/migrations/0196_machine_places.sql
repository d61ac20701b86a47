-- A map reads the machines of its view: a box of longitudes and latitudes.
create index machines_by_place on machines (merchant_id, longitude, latitude) where longitude is not null and deleted_at is null;
