export const words = import.meta.glob<Record<string, unknown>>('../../../../language/fr/*/*.json', {
  import: 'default',
})
