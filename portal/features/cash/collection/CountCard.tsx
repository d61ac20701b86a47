import { Box, Button, Flex, Group, Stack, Text } from '@mantine/core'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CollectionDetail, type CollectionLine, cashCollections } from '#contract/cash/collection.ts'
import { differenceOf, isWithin, samePieces, signedPieces, totalOf } from '#domain/cash/collection-count.ts'
import { lineDifference } from '#domain/cash/collection-total.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useLivePause } from '#portal/app/live.ts'
import { toast } from '#portal/ui/dialog/toast.tsx'
import { UnsavedGuard } from '#portal/ui/form/UnsavedGuard.tsx'
import { useKeptInput } from '#portal/ui/form/useKeptInput.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import classes from './Collection.module.css'
import { type Draft, draftOf, fieldAfter, piecesIn, readPieces } from './countDraft.ts'
import { Difference } from './Difference.tsx'

interface Conflict {
  current: CollectionDetail
  changedBy: string | null
  changedAt: string | null
}

/** The denominations of a collection on three sides. Until it is closed, its count is entered here by keyboard. */
export function CountCard({ collection }: { collection: CollectionDetail }) {
  const { t } = useTranslation(['cash-collection', 'ui'])
  const { id, merchantId, currency, lines, status, expected, tolerance } = collection
  const [typed, setTyped] = useState<Draft>()
  const [version, setVersion] = useState(collection.version)
  const [conflict, setConflict] = useState<Conflict>()
  const table = useRef<HTMLTableElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const count = useCommand(cashCollections.countCashCollection, { isQuiet: true })
  const isClosed = status === 'closed'
  const draft = typed ?? draftOf(lines)
  const pieces = piecesIn(draft)
  const total = pieces && totalOf(pieces)
  const isChanged = typed !== undefined && !(pieces && samePieces(pieces, piecesIn(draftOf(lines)) ?? []))
  const isDirty = isChanged || (typed !== undefined && status === 'open')
  useLivePause(isDirty)
  useKeptInput({
    name: 'count',
    input: useMemo(() => ({ version, typed: [...(typed ?? [])] }), [version, typed]),
    isDirty: isDirty && !isClosed,
    restore: (kept) => {
      setVersion(kept.version)
      setTyped(new Map(kept.typed))
    },
  })
  // Before the first field is typed there is no count.
  const isEmpty = total === undefined || (status === 'open' && typed === undefined)
  const counted = isClosed ? collection.counted : isEmpty ? null : total
  const difference = isClosed ? collection.difference : differenceOf(counted, expected)
  const mayClose = counted !== null && isWithin(difference, tolerance)

  const save = (close: boolean, onto = isDirty ? version : collection.version) => {
    if (!pieces || count.isPending) return
    count.mutate(
      { params: { merchantId, collectionId: id }, body: { version: onto, pieces, close } },
      {
        onSuccess: (saved) => {
          setTyped(undefined)
          setConflict(undefined)
          setVersion(saved.version)
          toast.success(close ? 'cash-collection:closed' : 'cash-collection:saved')
        },
        onError: (error) => {
          // Cast: the facts of this error are the conflict, as the contract of the call says.
          if (error.code === 'EditConflict') setConflict(error.facts as unknown as Conflict)
          else toast.error(error)
        },
      },
    )
  }
  const type = (value: number, text: string) => {
    if (typed === undefined) setVersion(collection.version)
    setTyped(new Map(draft).set(value, text))
  }
  const move = (event: KeyboardEvent, at: number) => {
    const next = fieldAfter(event.key, at, lines.length)
    if (next === undefined || event.nativeEvent.isComposing) return
    event.preventDefault()
    const field = table.current?.querySelectorAll<HTMLInputElement>('tbody input')[next]
    if (field) {
      field.focus()
      field.select()
    } else button.current?.focus()
  }
  const hasRest = Boolean(collection.rest.audited || collection.rest.transmitted)
  const sides = { audited: collection.audited, transmitted: collection.transmitted, counted }
  return (
    <Card title={t('count.title')} note={isClosed ? undefined : t('count.note')}>
      {!isClosed && <UnsavedGuard isDirty={isDirty && !count.isPending} />}
      {conflict && (
        <ConflictNote
          conflict={conflict}
          take={() => {
            setTyped(draftOf(conflict.current.lines))
            setVersion(conflict.current.version)
            setConflict(undefined)
          }}
          keep={() => {
            setVersion(conflict.current.version)
            save(false, conflict.current.version)
          }}
        />
      )}
      <Box className="scrolls">
        <table ref={table} className={`${numbers.table} ${classes.lines}`}>
          <caption className="unseen">{t('count.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('line.denomination')}</th>
              <th scope="col">{t('column.audited')}</th>
              <th scope="col" className="wide-only">
                {t('column.transmitted')}
              </th>
              <th scope="col">{t('column.counted')}</th>
              <th scope="col">{t('column.difference')}</th>
              <th scope="col" className="wide-only">
                {t('line.value')}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, at) => (
              <Row
                key={line.value}
                line={line}
                compared={{ side: collection.comparedWith, rest: collection.rest }}
                isCounted={!isEmpty || isClosed}
                currency={currency}
                text={draft.get(line.value) ?? ''}
                {...(!isClosed && {
                  type: (text: string) => type(line.value, text),
                  move: (event: KeyboardEvent) => move(event, at),
                })}
              />
            ))}
          </tbody>
          <tfoot>
            {hasRest && (
              <tr>
                <th scope="row">{t('line.rest')}</th>
                {(['audited', 'transmitted'] as const).map((side) => (
                  <td key={side} className={side === 'transmitted' ? 'wide-only' : undefined}>
                    {collection.rest[side] ? <Amount minor={collection.rest[side]} currency={currency} /> : '–'}
                  </td>
                ))}
                <td>–</td>
                <td>–</td>
                <td className="wide-only" />
              </tr>
            )}
            <tr>
              <th scope="row">{t('line.total')}</th>
              {(['audited', 'transmitted', 'counted'] as const).map((side) => (
                <td key={side} className={side === 'transmitted' ? 'wide-only' : undefined}>
                  {sides[side] === null ? '–' : <Amount minor={sides[side]} currency={currency} />}
                </td>
              ))}
              <td>{difference === null ? '–' : <Amount minor={difference} currency={currency} />}</td>
              <td className="wide-only" />
            </tr>
          </tfoot>
        </table>
      </Box>
      {hasRest && (
        <Text mb="sm" c="dimmed" fz="sm" lh="19px">
          {t('restNote')}
        </Text>
      )}
      <Group gap="xs" justify="flex-end" mt="part" className={`${classes.save} no-print`} aria-live="polite">
        <Text span me="auto" fz="lead">
          {difference !== null && (
            <>
              {t('column.difference')} <Difference difference={difference} tolerance={tolerance} currency={currency} />
            </>
          )}
        </Text>
        {!isClosed && (
          <>
            <Button
              ref={button}
              variant={mayClose ? 'default' : 'filled'}
              disabled={!pieces || (!isChanged && status !== 'open')}
              loading={count.isPending}
              onClick={() => save(false)}
            >
              {t('count.save')}
            </Button>
            {mayClose && (
              <Button disabled={!pieces} loading={count.isPending} onClick={() => save(true)}>
                {t('count.close')}
              </Button>
            )}
          </>
        )}
      </Group>
    </Card>
  )
}

interface RowProps {
  line: CollectionLine
  compared: Parameters<typeof lineDifference>[1]
  /** Denominations without a number are counted as none. */
  isCounted: boolean
  currency: CollectionDetail['currency']
  text: string
  type?: (text: string) => void
  move?: (event: KeyboardEvent) => void
}

function Row({ line, compared, isCounted, currency, text, type, move }: RowProps) {
  const { t } = useTranslation('cash-collection')
  const format = useFormat()
  const pieces = (count: number | null) => (count === null ? '–' : format.number(count))
  const { value, kind, audited, transmitted, counted } = line
  const own = type ? readPieces(text) : counted
  const difference = lineDifference({ ...line, counted: isCounted ? (own ?? null) : null }, compared)
  const name = format.money(value, currency)
  return (
    <tr>
      <th scope="row">
        {name}
        <Text span c="dimmed" fw={400} className={classes.kind}>
          {t(`kind.${kind}`)}
        </Text>
      </th>
      <td>{pieces(audited)}</td>
      <td className="wide-only">{pieces(transmitted)}</td>
      <td>
        {type ? (
          <input
            className={classes.pieces}
            inputMode="numeric"
            autoComplete="off"
            enterKeyHint="next"
            maxLength={12}
            aria-label={t('count.pieces', { value: name })}
            aria-invalid={own === undefined}
            value={text}
            onChange={(event) => type(event.currentTarget.value)}
            onFocus={(event) => event.currentTarget.select()}
            onKeyDown={move}
          />
        ) : (
          pieces(counted)
        )}
      </td>
      <td className={difference ? classes.off : undefined}>
        {difference === null ? '–' : signedPieces(difference, format.number)}
      </td>
      <td className="wide-only">{own ? <Amount minor={own * value} currency={currency} /> : '–'}</td>
    </tr>
  )
}

/** Another user has counted the bag meanwhile: their total, and whose count stays. */
function ConflictNote({ conflict, take, keep }: { conflict: Conflict; take: () => void; keep: () => void }) {
  const { t } = useTranslation(['cash-collection', 'ui'])
  const { current, changedBy, changedAt } = conflict
  return (
    <Stack
      gap="xs"
      mb="part"
      py="sm"
      px="part"
      bd="1px solid var(--warn)"
      bdrs="inner"
      bg="var(--warn-soft)"
      role="alertdialog"
      aria-label={t('conflict.title')}
    >
      <strong>{t('conflict.title')}</strong>
      <span>
        {changedBy ?? t('ui:provider')} {changedAt && <When at={changedAt} />}
        {current.counted !== null && (
          <>
            {': '}
            <Amount minor={current.counted} currency={current.currency} />
          </>
        )}
      </span>
      <Flex gap="near" wrap="wrap">
        <Button size="xs" variant="default" onClick={take}>
          {t('conflict.take')}
        </Button>
        {current.status !== 'closed' && (
          <Button size="xs" onClick={keep}>
            {t('conflict.keep')}
          </Button>
        )}
      </Flex>
    </Stack>
  )
}
