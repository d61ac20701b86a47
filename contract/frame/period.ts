/** Presets of every period picker, in the order they are offered. */
export const periodPresets = [
  'today',
  'yesterday',
  'last7Days',
  'thisWeek',
  'previousWeek',
  'thisMonth',
  'previousMonth',
] as const
