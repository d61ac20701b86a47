import { Box, Button, Flex, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type CashSlot, type MachineCash, machineCash } from '#contract/cash/machine-cash.ts'
import { floatDevices } from '#contract/vocabulary/cash.ts'
import { denominationsOf } from '#contract/vocabulary/world/denominations.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useLivePause } from '#portal/app/live/live.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { UnsavedGuard } from '#portal/ui/form/UnsavedGuard.tsx'
import { useKeptInput } from '#portal/ui/form/useKeptInput.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import classes from './Cash.module.css'
import { type FloatDraft, floatKey, floatsIn } from './floatDraft.ts'

interface Props {
  cash: MachineCash
  params: { merchantId: string; posId: string }
}

/** Tubes and recyclers by denomination, with capacity and target float, which may be edited here. */
export function SlotsCard({ cash, params }: Props) {
  const { t } = useTranslation(['cash', 'editing'])
  const { me } = useSession()
  const [edited, setEdited] = useState<FloatDraft>()
  const [version, setVersion] = useState(0)
  const save = useCommand(machineCash.updateCashFloats, {
    says: 'cash:floats.saved',
    onDone: () => setEdited(undefined),
  })
  useLivePause(edited !== undefined)
  useKeptInput({
    name: 'floats',
    input: useMemo(() => ({ version, edited: [...(edited ?? [])] }), [version, edited]),
    isDirty: edited !== undefined,
    restore: (input) => {
      setVersion(input.version)
      setEdited(new Map(input.edited))
    },
  })
  const { slots, currency, floatVersion } = cash
  const floats = edited && floatsIn(edited)
  const mayEdit = me && roleMay(me.role, 'machine.write')
  const begin = () => {
    setVersion(floatVersion)
    setEdited(
      new Map(slots.map((slot) => [floatKey(slot), { capacity: text(slot.capacity), target: text(slot.wanted) }])),
    )
  }
  // While floats are edited, each denomination has a row in both devices; without reports there is nothing else to fill in.
  const visibleSlots: readonly CashSlot[] = edited ? withAll(slots, currency) : slots
  return (
    <Card
      title={t('floats.title')}
      note={t('floats.note')}
      actions={
        mayEdit &&
        (edited ? (
          <Flex component="span" gap="near">
            <Button variant="default" size="xs" onClick={() => setEdited(undefined)}>
              {t('floats.cancel')}
            </Button>
            <Button
              size="xs"
              disabled={!floats}
              loading={save.isPending}
              onClick={() => floats && save.mutate({ params, body: { version, floats } })}
            >
              {t('floats.save')}
            </Button>
          </Flex>
        ) : (
          <Button variant="default" size="xs" leftSection={<IconPencil size={14} aria-hidden />} onClick={begin}>
            {t('floats.edit')}
          </Button>
        ))
      }
    >
      <UnsavedGuard isDirty={edited !== undefined && !save.isPending} />
      {visibleSlots.length === 0 ? (
        <Text c="dimmed">{t('floats.empty')}</Text>
      ) : (
        floatDevices.map((device) => (
          <DeviceTable
            key={device}
            device={device}
            slots={visibleSlots.filter((slot) => slot.device === device)}
            currency={currency}
            edited={edited}
            edit={setEdited}
          />
        ))
      )}
    </Card>
  )
}

const text = (count: number | null) => (count === null ? '' : String(count))

/** Recyclers take any denomination, tubes take coins. */
function withAll(slots: readonly CashSlot[], currency: MachineCash['currency']): CashSlot[] {
  const slotsByKey = new Map(slots.map((slot) => [floatKey(slot), slot]))
  return floatDevices.flatMap((device) =>
    denominationsOf(currency)
      .filter(({ kind }) => device === 'recycler' || kind === 'coin')
      .map(
        ({ value, kind }) =>
          slotsByKey.get(floatKey({ device, value })) ?? {
            device,
            value,
            kind,
            count: null,
            capacity: null,
            wanted: null,
          },
      ),
  )
}

interface TableProps {
  device: CashSlot['device']
  slots: readonly CashSlot[]
  currency: MachineCash['currency']
  edited: FloatDraft | undefined
  edit: (draft: FloatDraft) => void
}

function DeviceTable({ device, slots, currency, edited, edit }: TableProps) {
  const { t } = useTranslation('cash')
  const format = useFormat()
  if (slots.length === 0) return null
  const pieces = (count: number | null) => (count === null ? '–' : format.number(count))
  const total = slots.reduce((sum, { value, count }) => sum + value * (count ?? 0), 0)
  const field = (slot: CashSlot, name: 'capacity' | 'target') => {
    const key = floatKey(slot)
    const values = edited?.get(key) ?? { capacity: '', target: '' }
    return (
      <input
        className={classes.pieces}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        aria-label={`${t(`device.${device}`)} ${format.money(slot.value, currency)}: ${t(`line.${name === 'target' ? 'wanted' : name}`)}`}
        aria-invalid={floatsIn(new Map([[key, values]])) === undefined}
        value={values[name]}
        onChange={(event) => edit(new Map(edited).set(key, { ...values, [name]: event.currentTarget.value }))}
      />
    )
  }
  return (
    <Box className={`${classes.scroll} scrolls`}>
      <table className={`${numbers.table} ${classes.table}`}>
        <caption className={classes.caption}>{t(`device.${device}`)}</caption>
        <thead>
          <tr>
            {(['denomination', 'pieces', 'value', 'capacity', 'wanted', 'missing'] as const).map((name) => (
              <th key={name} scope="col" className={name === 'value' ? 'wide-only' : undefined}>
                {t(`line.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {slots.map((slot) => {
            const { value, count, capacity, wanted: target } = slot
            const missing = target === null || count === null ? null : target - count
            return (
              <tr key={value}>
                <th scope="row">{format.money(value, currency)}</th>
                <td>{pieces(count)}</td>
                <td className="wide-only">
                  {count === null ? '–' : <Amount minor={value * count} currency={currency} />}
                </td>
                <td>{edited ? field(slot, 'capacity') : pieces(capacity)}</td>
                <td>{edited ? field(slot, 'target') : pieces(target)}</td>
                <td className={missing !== null && missing > 0 ? classes.short : undefined}>
                  {missing !== null && missing > 0 ? format.number(missing) : '–'}
                </td>
              </tr>
            )
          })}
        </tbody>
        {total > 0 && (
          <tfoot>
            <tr>
              <th scope="row">{t('line.total')}</th>
              <td colSpan={2}>
                <Amount minor={total} currency={currency} />
              </td>
              <td colSpan={3} />
            </tr>
          </tfoot>
        )}
      </table>
    </Box>
  )
}
