-- The route that a plan of the week made a round of: it gets no second one on the day. A deleted route leaves its rounds as they are.
alter table rounds add column route_id uuid;
create index rounds_by_route on rounds (merchant_id, route_id, day) where route_id is not null;
