export const words = import.meta.glob<Record<string, unknown>>('../../../../language/it/*/*.json', {
  import: 'default',
})
