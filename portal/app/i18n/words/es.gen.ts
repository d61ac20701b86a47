export const words = import.meta.glob<Record<string, unknown>>('../../../../language/es/*/*.json', {
  import: 'default',
})
