-- How a product is bought, and what a planogram begins with when it gets the product.
alter table products
  add column supplier text check (length(supplier) between 1 and 120),
  -- Pieces of a pack, packs of the smallest purchase, and days from a purchase to its delivery.
  add column pack_size int check (pack_size between 1 and 10000),
  add column minimum_packs int check (minimum_packs between 1 and 10000),
  add column lead_days int check (lead_days between 0 and 365),
  -- Minor units of the merchant's currency.
  add column default_price bigint check (default_price >= 0),
  add column default_fill int check (default_fill >= 0);
