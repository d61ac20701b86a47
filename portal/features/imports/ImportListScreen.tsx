import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Import, importColumns, importOrds, imports } from '#contract/imports/import.ts'
import { importKindNames } from '#contract/imports/import-kinds.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { type Confirmation, useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { stateLooks } from './importLooks.ts'

const order = { ord: 'at', ordType: 'DESC' } as const

const columnsOf = (undo: (one: Import) => void) =>
  recordColumns<Import>(importColumns, importOrds, ({ t }: Say) => ({
    title: 'fileName',
    lines: ['kind', 'created', 'refused'],
    aside: 'at',
    looks: {
      kind: { cell: ({ kind }) => t(`import:kind.${kind}`) },
      by: { cell: ({ by }) => by ?? '–' },
      state: { cell: ({ undoneAt }) => <StatusBadge of={stateLooks} value={undoneAt ? 'undone' : 'done'} /> },
      undo: {
        cell: (one) =>
          one.undoUntil && (
            <Button
              variant="default"
              size="xs"
              aria-label={t('import:undo.of', { name: one.fileName })}
              onClick={() => undo(one)}
            >
              {t('import:undo.act')}
            </Button>
          ),
      },
    },
  }))

const filters = ({ t }: Say): Filter[] => [
  anyOf('kinds', t('import:filter.kind'), importKindNames, (kind) => t(`import:kind.${kind}`)),
]

/** The files that were imported, each of which can be undone as a whole for a month. */
export default function ImportListScreen() {
  const { t } = useTranslation('import')
  const format = useFormat()
  const { ask, dialog } = useConfirm()
  const command = useCommand(imports.undoImport, { says: 'import:undo.done' })
  const question = ({ id, merchantId, created, updated }: Import): Confirmation => ({
    title: t('undo.title'),
    consequence: t('undo.text', { created: format.number(created), updated: format.number(updated) }),
    confirm: t('undo.confirm'),
    dismiss: { how: 'keep' },
    isDanger: true,
    act: () => command.mutateAsync({ params: { merchantId, importId: id } }),
  })
  return (
    <>
      <ListScreen
        id="imports"
        words="import"
        row={imports.listImports}
        columns={columnsOf((one) => ask(question(one)))}
        filters={filters}
        order={order}
        create={{ name: t('create'), needs: 'import.create', does: { to: '/manage/imports/create' } }}
      />
      {dialog}
    </>
  )
}
