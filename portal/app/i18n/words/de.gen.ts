export const words = import.meta.glob<Record<string, unknown>>('../../../../language/de/*/*.json', {
  import: 'default',
})
