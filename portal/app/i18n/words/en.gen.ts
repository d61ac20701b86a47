export const words = import.meta.glob<Record<string, unknown>>('../../../../language/en/*/*.json', {
  import: 'default',
})
