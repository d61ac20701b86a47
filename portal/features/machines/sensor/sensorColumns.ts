import type { Column } from '#portal/ui/list/types.ts'
import type { useSensorWords } from './useSensorWords.ts'

/** The sensor of a row. */
export const sensorColumns = <T extends { name: string; submodule: string }>(
  t: (key: string) => string,
  wordOf: ReturnType<typeof useSensorWords>,
): Column<T>[] => [
  {
    id: 'name',
    name: t('column.sensor'),
    sort: true,
    isFixed: true,
    card: 'title',
    label: ({ name }) => wordOf('name', name),
    cell: ({ name }) => wordOf('name', name),
  },
  {
    id: 'submodule',
    name: t('column.submodule'),
    sort: true,
    card: 'line',
    cell: ({ submodule }) => wordOf('part', submodule),
  },
]
