-- COPY writes and quotes the fields of CSV files itself; what is left to say is how a text is harmless to spreadsheets: what could begin a
-- formula, also behind spaces and quotes, gets an apostrophe in front. Most texts begin with a letter or a digit, which is seen without
-- looking further. What is empty is no field. One expression, so that it is inlined.
create function spreadsheet_text(value text) returns text language sql immutable parallel safe as $$
  select case
    when ascii(value) between 97 and 122 or ascii(value) between 65 and 90 or ascii(value) between 48 and 57 then value
    when value = '' then null
    when value ~ '^[\s''"]*[-=+@＝＋－＠]|^[\t\r\n]' then '''' || value
    else value
  end
$$;

drop function csv_text(text);
