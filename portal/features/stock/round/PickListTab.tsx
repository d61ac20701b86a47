import { Button, Stack } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { Pieces } from '#contract/stock/pieces.ts'
import {
  loadColumns,
  loadOrds,
  type Round,
  type RoundLoad,
  type RoundProduct,
  roundProductColumns,
  roundProductOrds,
  rounds,
} from '#contract/stock/round.ts'
import { isClosed } from '#domain/stock/round.ts'
import { call, useCommand } from '#portal/app/api.ts'
import { useFeature } from '#portal/app/feature.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { oneOf } from '#portal/app/search.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import type { ListEdit, RowOutcome } from '#portal/ui/grid/types.ts'
import { whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { Segments } from '#portal/ui/value/Segments.tsx'
import classes from './Round.module.css'
import { useRound } from './useRound.ts'

const views = ['product', 'stop', 'van'] as const

const PickingList = lazyPart(() => import('../picking/PickingList.tsx'), ['piece', 'errors'])
const loadKey = ({ stopId, selection }: RoundLoad) => `${stopId} ${selection}`
const productKey = ({ productId, product }: RoundProduct) => productId ?? product ?? ''

const loadColumnsOf = recordColumns<RoundLoad>(loadColumns, loadOrds, ({ t, format }: Say) => ({
  title: 'posName',
  aside: 'quantity',
  lines: ['product'],
  hidden: ['productCode', 'capacity'],
  offCards: ['position'],
  looks: {
    posName: { label: ({ posName, selection }) => `${posName} ${selection}` },
    product: { cell: ({ product }) => product ?? t('round:load.unknown') },
    quantity: { cell: ({ quantity }) => <strong>{format.number(quantity)}</strong> },
  },
}))

const productColumnsOf = recordColumns<RoundProduct>(roundProductColumns, roundProductOrds, ({ t, format }: Say) => ({
  lines: ['productCode'],
  aside: 'quantity',
  looks: {
    product: {
      cell: ({ product }) => <strong>{product ?? t('round:load.unknown')}</strong>,
      label: ({ product }) => product ?? t('round:load.unknown'),
    },
    quantity: { cell: ({ quantity }) => <strong>{format.number(quantity)}</strong> },
  },
}))

/** What to load into the van: in total by product, and by stop. */
export default function PickListTab() {
  const { t } = useTranslation('round')
  const round = useRound().here?.round
  // A refused picking is corrected there.
  const isPicking = oneOf(useAddressQuery(), 'pick') !== undefined
  const { offline } = useSession()
  const [chosen, setView] = useState<(typeof views)[number]>()
  const hasVans = useFeature('warehouse')
  if (!round) return null
  const isPicked = hasVans && round.vanId !== null && !isClosed(round.status)
  // Without the server only that list is there.
  const view = chosen ?? (isPicked && (isPicking || offline) ? 'van' : 'product')
  return (
    <Stack gap="part" mt="part" className={classes.plan}>
      <div className={`${classes.bar} no-print`}>
        <Segments
          name={t('load.view')}
          value={view}
          options={views
            .filter((one) => one !== 'van' || isPicked)
            .map((value) => ({ value, label: t(`load.by.${value}`) }))}
          choose={setView}
        />
        <Compute round={round} />
      </div>
      {view === 'van' && isPicked && (
        <Part>
          <PickingList round={round} />
        </Part>
      )}
      {view === 'stop' && <StopList round={round} />}
      {(view === 'product' || (view === 'van' && !isPicked)) && <ProductList round={round} />}
    </Stack>
  )
}

const useMayPlan = ({ status }: Round) => {
  const { me } = useSession()
  return Boolean(me && roleMay(me.role, 'round.write')) && (status === 'planned' || status === 'underway')
}

/** Computes the quantities again by today's levels. */
function Compute({ round }: { round: Round }) {
  const { t } = useTranslation('round')
  const compute = useCommand(rounds.computeRoundLoads, { says: 'round:load.computed' })
  if (!useMayPlan(round)) return null
  const params = { merchantId: round.merchantId, roundId: round.id }
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={15} aria-hidden />}
      loading={compute.isPending}
      onClick={() => compute.mutate({ params })}
    >
      {t('load.compute')}
    </Button>
  )
}

const search = (name: string): Filter => ({ key: 'search', kind: 'text', name })

function ProductList({ round }: { round: Round }) {
  const { t } = useTranslation('round')
  return (
    <ListScreen
      id="roundProducts"
      isEmbedded
      title={t('load.title')}
      row={rounds.listRoundProducts}
      params={{ merchantId: round.merchantId }}
      fixed={{ roundId: round.id }}
      columns={productColumnsOf}
      filters={useMemo(() => [search(t('filter.product'))], [t])}
      order={{ ord: 'product', ordType: 'ASC' }}
      keyOf={productKey}
      exports="roundProducts"
      empty={{ title: t('load.nothing'), text: t('load.nothingText') }}
    />
  )
}

function StopList({ round }: { round: Round }) {
  const { t } = useTranslation('round')
  const mayPlan = useMayPlan(round)
  const edit = useLoadEdit(round)
  return (
    <ListScreen
      id="roundLoads"
      isEmbedded
      title={t('load.title')}
      row={rounds.listRoundLoads}
      params={{ merchantId: round.merchantId }}
      fixed={{ roundId: round.id }}
      columns={loadColumnsOf}
      filters={useMemo(
        () => [
          search(t('filter.load')),
          whether('withEmpty', t('filter.withEmpty'), t('filter.allSelections'), t('filter.onlyLoads')),
        ],
        [t],
      )}
      order={{ ord: 'position', ordType: 'ASC' }}
      keyOf={loadKey}
      exports="roundLoads"
      {...(mayPlan && { edit })}
      empty={{ title: t('load.nothing'), text: t('load.nothingText') }}
    />
  )
}

/** Quantities are edited as in a spreadsheet; more than fit are refused at their cell. */
function useLoadEdit({ merchantId, id: roundId }: Round): ListEdit<RoundLoad> {
  const { t } = useTranslation(['round', 'form'])
  const format = useFormat()
  return useMemo(
    (): ListEdit<RoundLoad> => ({
      nameOf: ({ posName, selection }) => `${posName} ${selection}`,
      columns: [
        { id: 'posName', name: t('round:load.machine'), width: 220, value: ({ posName }) => posName },
        { id: 'selection', name: t('round:load.selection'), width: 100, value: ({ selection }) => selection },
        { id: 'product', name: t('round:load.product'), width: 240, value: ({ product }) => product },
        { id: 'capacity', name: t('round:load.capacity'), width: 110, value: ({ capacity }) => capacity },
        { id: 'fits', name: t('round:load.fits'), width: 150, value: ({ fits }) => fits },
        {
          id: 'quantity',
          name: t('round:load.quantity'),
          width: 120,
          value: ({ quantity }) => quantity,
          edit: { schema: Pieces, kind: 'number' },
        },
      ],
      save: async (edits) => {
        const loads = edits.map(({ row, values }) => ({ row, quantity: Number(values.quantity ?? row.quantity) }))
        const isOver = ({ row, quantity }: (typeof loads)[number]) =>
          row.fits !== null && quantity > Math.max(row.fits, row.quantity)
        const sent = loads.filter((one) => !isOver(one))
        const { conflicts } =
          sent.length === 0
            ? { conflicts: [] }
            : await call(rounds.updateRoundLoads, {
                params: { merchantId, roundId },
                body: {
                  edits: sent.map(({ row, quantity }) => ({
                    stopId: row.stopId,
                    selection: row.selection,
                    before: row.quantity,
                    quantity,
                  })),
                },
              })
        return loads.map(({ row, quantity }): RowOutcome<RoundLoad> => {
          if (isOver({ row, quantity })) {
            const sentence = t('form:rule.maximum', { maxValue: format.number(row.fits ?? 0) })
            return { kind: 'refused', column: 'quantity', sentence }
          }
          const conflict = conflicts.find((one) => one.stopId === row.stopId && one.selection === row.selection)
          if (!conflict) return { kind: 'saved', row: { ...row, quantity, edited: true } }
          const current = { ...row, quantity: conflict.current ?? row.quantity }
          return { kind: 'conflict', current, by: undefined, at: undefined }
        })
      },
    }),
    [t, format, merchantId, roundId],
  )
}
