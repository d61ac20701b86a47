-- The number of sales of a product, and reports of one, read its days only. Sums of days are written once a day, when a day has ended.
create index product_sales_daily_by_product on product_sales_daily (merchant_id, product, day);
