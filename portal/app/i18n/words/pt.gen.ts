export const words = import.meta.glob<Record<string, unknown>>('../../../../language/pt/*/*.json', {
  import: 'default',
})
