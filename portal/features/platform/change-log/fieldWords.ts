/** Files and parts in which a field has its word: the log's own, or where it is edited. */
export const fieldWords = [
  ['change-log', 'field'],
  ['client', 'field'],
  ['client', 'column'],
  ['merchant', 'field'],
  ['machine', 'fact'],
] as const
