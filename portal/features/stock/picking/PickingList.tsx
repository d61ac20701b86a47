import { Button, Checkbox, Flex, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Round } from '#contract/stock/round.ts'
import type { PickLine } from '#contract/warehouse/picking.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { oneOf } from '#portal/app/search.ts'
import { remember } from '#portal/app/theme/preferences.ts'
import { newId } from '#portal/app/uuid.ts'
import { NumberInput } from '#portal/ui/form/fields/NumberField.tsx'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'
import { EmptyState, ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { AsOf } from '../offline/AsOf.tsx'
import { withPicked } from '../outbox/overlay.ts'
import type { KeptPick } from '../outbox/steps.ts'
import { useOutbox } from '../outbox/useOutbox.ts'
import { useStep } from '../outbox/useStep.ts'
import { firstWarehouse, pickingOf, warehousesOf } from './pickingQueries.ts'

/** What a user has taken: pieces by product. The id is of the whole picking, so that it is booked once. */
interface Taken {
  id: string
  pieces: Readonly<Record<string, number | string | null>>
}

const takenAgain = ({ id, body }: KeptPick): Taken => ({
  id,
  pieces: Object.fromEntries(body.lines.map(({ productId, pieces }) => [productId, pieces])),
})

/** A lot is named when its last day of sale is near. */
const soonDays = 14

/** What to bring from a warehouse into the van of a round, ticked off product by product. */
export default function PickingList({ round }: { round: Round }) {
  const { t } = useTranslation('piece')
  const warehouses = useQuery(warehousesOf(round.merchantId))
  const [chosen, choose] = useState<string | null>(null)
  const refused = useRefusedPick(round.id)
  if (warehouses.error && !warehouses.data) return <ErrorState error={warehouses.error} retry={warehouses.refetch} />
  if (!warehouses.data) return <ScreenSkeleton />
  const places = warehouses.data.items
  const stockPlaceId = chosen ?? refused?.body.stockPlaceId ?? firstWarehouse(places)?.id
  if (!stockPlaceId) return <EmptyState title={t('pick.noWarehouse')} text={t('pick.noWarehouseText')} />
  return (
    <Stack gap="part" maw={720}>
      <Select
        label={t('pick.from')}
        data={places.map(({ id, name }) => ({ value: id, label: name }))}
        value={stockPlaceId}
        allowDeselect={false}
        onChange={(id) => {
          choose(id)
          if (id) remember('warehouse', id)
        }}
      />
      <Lines key={`${stockPlaceId} ${refused?.id}`} round={round} stockPlaceId={stockPlaceId} refused={refused} />
    </Stack>
  )
}

/** The refused picking that the address names, which is corrected and sent again. */
function useRefusedPick(roundId: string): KeptPick | undefined {
  const id = oneOf(useAddressQuery(), 'pick')
  return useOutbox().find(
    (step): step is KeptPick =>
      step.kind === 'pick' && step.id === id && step.roundId === roundId && step.refused !== null,
  )
}

interface LinesProps {
  round: Round
  stockPlaceId: string
  refused: KeptPick | undefined
}

function Lines({ round, stockPlaceId, refused }: LinesProps) {
  const { t } = useTranslation('piece')
  const format = useFormat()
  const answer = useQuery(pickingOf(round, stockPlaceId))
  const nothing = (): Taken => ({ id: newId(), pieces: {} })
  const [taken, setTaken] = useKeptState<Taken>(`pick ${round.id} ${stockPlaceId}`, () =>
    refused?.body.stockPlaceId === stockPlaceId ? takenAgain(refused) : nothing(),
  )
  const { take, isPending } = useStep(() => setTaken(nothing))
  const steps = useOutbox()
  if (answer.error && !answer.data) return <ErrorState error={answer.error} retry={answer.refetch} />
  if (!answer.data) return <ScreenSkeleton />
  const { lines, vanName, unnamed } = withPicked(answer.data, { steps, roundId: round.id, stockPlaceId })
  const open = lines.filter(({ toPick, productId }) => toPick > 0 || productId in taken.pieces)
  const set = (productId: string, pieces: number | string | null | undefined) =>
    setTaken(({ id, pieces: { [productId]: _, ...others } }) => ({
      id,
      pieces: pieces === undefined ? others : { ...others, [productId]: pieces },
    }))
  const picked = Object.entries(taken.pieces).flatMap(([productId, pieces]) =>
    Number.isInteger(pieces) && Number(pieces) > 0 ? [{ productId, pieces: Number(pieces) }] : [],
  )
  const isReadable = picked.length === Object.keys(taken.pieces).length
  const sum = picked.reduce((total, { pieces }) => total + pieces, 0)
  const book = () =>
    take({
      kind: 'pick',
      id: taken.id,
      merchantId: round.merchantId,
      roundId: round.id,
      roundName: round.name,
      body: { id: taken.id, stockPlaceId, lines: picked },
    })
  return (
    <>
      <AsOf query={answer} />
      {unnamed > 0 && (
        <Text c="dimmed" fz="sm">
          {t('pick.unnamed', { count: unnamed, number: format.number(unnamed) })}
        </Text>
      )}
      {open.length === 0 ? (
        <EmptyState title={t('pick.nothing')} text={t('pick.nothingText', { van: vanName })} />
      ) : (
        <Panel component="ul">
          {open.map((line) => (
            <Line
              key={line.productId}
              line={line}
              pieces={taken.pieces[line.productId]}
              set={(pieces) => set(line.productId, pieces)}
            />
          ))}
        </Panel>
      )}
      {open.length > 0 && (
        <Button size="lg" loading={isPending} disabled={picked.length === 0 || !isReadable} onClick={() => void book()}>
          {t('pick.book', { count: sum, number: format.number(sum), van: vanName })}
        </Button>
      )}
    </>
  )
}

interface LineProps {
  line: PickLine
  /** What was taken; undefined while it is not ticked. */
  pieces: number | string | null | undefined
  set: (pieces: number | string | null | undefined) => void
}

/** A product: how many pieces, of which lots, and a tick when they are in the van. */
function Line({ line, pieces, set }: LineProps) {
  const { t } = useTranslation('piece')
  const format = useFormat()
  const { product, productCode, toPick, has, lots, expired } = line
  const isTicked = pieces !== undefined
  const suggested = Math.min(toPick, has)
  const near = lots.filter(({ daysLeft }) => daysLeft !== null && daysLeft <= soonDays)
  return (
    <Flex component="li" className="ruled" gap="near" align="center" px="sm" py="xs">
      <Checkbox
        size="md"
        flex={1}
        miw={0}
        checked={isTicked}
        disabled={suggested === 0 && !isTicked}
        label={
          <Stack component="span" gap={0} className="breaks">
            <strong>{product}</strong>
            <Text span c="dimmed" fz="sm">
              {[productCode, t('pick.of', { number: format.number(toPick) })].filter(Boolean).join(' · ')}
            </Text>
            {has < toPick && (
              <Text span c="warn" fz="sm">
                {t('pick.short', { count: has, number: format.number(has) })}
              </Text>
            )}
            {near.map(({ lotCode, expiresOn, pieces: ofLot }) => (
              <Text span fz="sm" key={`${lotCode} ${expiresOn}`}>
                {t('pick.lot', {
                  number: format.number(ofLot),
                  lot: lotCode ?? '–',
                  day: expiresOn === null ? '–' : format.day(expiresOn),
                })}
              </Text>
            ))}
            {expired > 0 && (
              <Text span c="crit" fz="sm">
                {t('pick.expired', { count: expired, number: format.number(expired) })}
              </Text>
            )}
          </Stack>
        }
        onChange={({ currentTarget }) => set(currentTarget.checked ? suggested : undefined)}
      />
      <NumberInput
        label=""
        aria-label={t('pick.pieces', { name: product })}
        value={isTicked ? pieces : suggested}
        set={set}
        digits={0}
        w={88}
        error={isTicked && !(Number.isInteger(pieces) && Number(pieces) > 0)}
      />
    </Flex>
  )
}
