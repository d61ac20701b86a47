-- The customers' key portal: settings of each merchant, their files, and the blog of all portals.

create table portal_settings (
  merchant_id uuid primary key,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) between 3 and 60),
  name text not null check (length(name) between 1 and 80),
  website text,
  colour text not null check (colour ~ '^#[0-9a-f]{6}$'),
  -- 0 light, 1 dark.
  theme smallint not null check (theme in (0, 1)),
  phone text,
  email text,
  -- Formatted texts by language; Italian and English are always there.
  contacts jsonb not null,
  privacy jsonb not null,
  logo_id uuid,
  app_logo_id uuid,
  ingredients_id uuid,
  is_published boolean not null,
  version int not null,
  updated_at timestamptz not null
);
call guard_tenant_table('portal_settings');

-- Uploaded files; their bytes are in the blob store. Files that no settings use are deleted after a day.
create table portal_files (
  merchant_id uuid not null,
  id uuid not null,
  use text not null check (use in ('logo', 'appLogo', 'ingredients')),
  name text not null check (length(name) between 1 and 200),
  type text not null check (type in ('png', 'jpg', 'pdf')),
  bytes int not null check (bytes > 0),
  width int,
  height int,
  sha256 text not null,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
call guard_tenant_table('portal_files');

-- Local: finds the merchant of a portal's address. An address stays with its merchant: printed QR codes have it.
create table portal_directory (
  slug text primary key,
  merchant_id uuid not null
);
grant select, insert, delete on portal_directory to gettone_system;

-- Local: the provider's blog, the same in all portals.
create table blog_posts (
  id uuid primary key,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) between 1 and 120),
  title text not null check (length(title) between 1 and 160),
  excerpt text not null check (length(excerpt) between 1 and 400),
  content_it text not null,
  content_en text not null,
  media_id uuid,
  -- 0 hidden, 1 published.
  visibility smallint not null check (visibility in (0, 1)),
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
grant select, insert, update, delete on blog_posts to gettone_system;
create unique index blog_posts_slug on blog_posts (slug);
-- Portals show the newest first.
create index blog_posts_published on blog_posts (created_at desc, id desc) where visibility = 1;

-- Local: pictures and videos of posts.
create table blog_files (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  type text not null check (type in ('png', 'jpg', 'webp', 'mp4', 'webm')),
  bytes int not null check (bytes > 0),
  width int,
  height int,
  sha256 text not null,
  created_at timestamptz not null
);
grant select, insert, delete on blog_files to gettone_system;
