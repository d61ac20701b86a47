-- The languages are those of the contract, which checks every text: a new one needs no migration.
alter table troubleshooting_texts drop constraint troubleshooting_texts_language_check;
