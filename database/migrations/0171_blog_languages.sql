-- Title and excerpt of a post are in Italian and English, as its content. Where English is missing, the Italian text is shown.
alter table blog_posts rename column title to title_it;
alter table blog_posts rename column excerpt to excerpt_it;
alter table blog_posts
  add column title_en text check (length(title_en) between 1 and 160),
  add column excerpt_en text check (length(excerpt_en) between 1 and 400);
