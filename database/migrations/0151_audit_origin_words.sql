-- Modems name the origin of an audit in words of their own. The word is kept beside the number that it means to us.
alter table audits add column origin_word text;
