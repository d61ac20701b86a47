import { Box, Button, Flex, Group, Stack, Text } from '@mantine/core'
import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { CollectionDetail, CollectionLine } from '#contract/cash/collection.ts'
import { differenceOf, isWithin, signedPieces, totalOf } from '#domain/cash/collection-count.ts'
import { comparedSides, lineDifference } from '#domain/cash/collection-total.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { UnsavedGuard } from '#portal/ui/form/UnsavedGuard.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import classes from './Collection.module.css'
import { fieldAfter, readPieces } from './countDraft.ts'
import { Difference } from './Difference.tsx'
import { type CountConflict, useCount } from './useCount.ts'

/** Amounts that no denomination explains. */
const hasRest = ({ rest }: CollectionDetail) => Boolean(rest.audited || rest.transmitted)

/** A phone shows the compared side only, or the audited one. */
const onWide = (side: 'audited' | 'transmitted', compared: CollectionDetail['comparedWith']) =>
  side === (compared ?? 'audited') ? undefined : 'wide-only'

/** The denominations of a collection on three sides. Until it is closed, its count is entered here by keyboard. */
export function CountCard({ collection }: { collection: CollectionDetail }) {
  const { t } = useTranslation(['cash-collection', 'ui'])
  const { currency, lines, status, expected, tolerance } = collection
  const entry = useCount(collection)
  const { draft, pieces, isChanged, isDirty, isSaving, conflict, save } = entry
  const table = useRef<HTMLTableElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isClosed = status === 'closed'
  // Before the first field is typed there is no count.
  const isEmpty = pieces === undefined || (status === 'open' && !entry.isTyped)
  const counted = isClosed ? collection.counted : isEmpty ? null : totalOf(pieces)
  const difference = isClosed ? collection.difference : differenceOf(counted, expected)
  const mayClose = counted !== null && isWithin(difference, tolerance)

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
  return (
    <Card title={t('count.title')} note={isClosed ? undefined : t('count.note')}>
      {!isClosed && <UnsavedGuard isDirty={isDirty && !isSaving} />}
      {conflict && <ConflictNote conflict={conflict} take={entry.takeTheirs} keep={entry.keepOwn} />}
      <Box className="scrolls">
        <table ref={table} className={`${numbers.table} ${classes.lines}`}>
          <caption className="unseen">{t('count.title')}</caption>
          <Heads collection={collection} />
          <tbody>
            {lines.map((line, at) => (
              <Row
                key={line.value}
                line={line}
                sides={sidesOf(collection)}
                compared={{ side: collection.comparedWith, rest: collection.rest }}
                isCounted={!isEmpty || isClosed}
                currency={currency}
                text={draft.get(line.value) ?? ''}
                {...(!isClosed && {
                  type: (text: string) => entry.type(line.value, text),
                  move: (event: KeyboardEvent) => move(event, at),
                })}
              />
            ))}
          </tbody>
          <Totals collection={collection} counted={counted} difference={difference} />
        </table>
      </Box>
      {hasRest(collection) && (
        <Text
          className={collection.rest[collection.comparedWith ?? 'audited'] ? undefined : 'wide-only'}
          mb="sm"
          c="dimmed"
          fz="sm"
          lh="19px"
        >
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
              loading={isSaving}
              onClick={() => save(false)}
            >
              {t('count.save')}
            </Button>
            {mayClose && (
              <Button disabled={!pieces} loading={isSaving} onClick={() => save(true)}>
                {t('count.close')}
              </Button>
            )}
          </>
        )}
      </Group>
    </Card>
  )
}

/** The sides that the count is compared with: none of them before a blind count. */
const sidesOf = ({ isWithheld }: CollectionDetail) => (isWithheld ? [] : comparedSides)

function Heads({ collection }: { collection: CollectionDetail }) {
  const { t } = useTranslation('cash-collection')
  const { comparedWith: compared, isWithheld } = collection
  return (
    <thead>
      <tr>
        <th scope="col">{t('line.denomination')}</th>
        {sidesOf(collection).map((side) => (
          <th key={side} scope="col" className={onWide(side, compared)}>
            {t(`column.${side}`)}
          </th>
        ))}
        <th scope="col">{t('column.counted')}</th>
        {!isWithheld && <th scope="col">{t('column.difference')}</th>}
        <th scope="col" className="wide-only">
          {t('line.value')}
        </th>
      </tr>
    </thead>
  )
}

interface TotalsProps {
  collection: CollectionDetail
  counted: number | null
  difference: number | null
}

function Totals({ collection, counted, difference }: TotalsProps) {
  const { t } = useTranslation('cash-collection')
  const { currency, rest, comparedWith } = collection
  return (
    <tfoot>
      {hasRest(collection) && (
        <tr className={rest[comparedWith ?? 'audited'] ? undefined : 'wide-only'}>
          <th scope="row">{t('line.rest')}</th>
          {comparedSides.map((side) => (
            <td key={side} className={onWide(side, comparedWith)}>
              {rest[side] ? <Amount minor={rest[side]} currency={currency} /> : '–'}
            </td>
          ))}
          <td>–</td>
          <td>–</td>
          <td className="wide-only" />
        </tr>
      )}
      <tr>
        <th scope="row">{t('line.total')}</th>
        {sidesOf(collection).map((side) => (
          <td key={side} className={onWide(side, comparedWith)}>
            {collection[side] === null ? '–' : <Amount minor={collection[side]} currency={currency} />}
          </td>
        ))}
        <td>{counted === null ? '–' : <Amount minor={counted} currency={currency} />}</td>
        {!collection.isWithheld && (
          <td>{difference === null ? '–' : <Amount minor={difference} currency={currency} />}</td>
        )}
        <td className="wide-only" />
      </tr>
    </tfoot>
  )
}

interface RowProps {
  line: CollectionLine
  sides: ReturnType<typeof sidesOf>
  compared: Parameters<typeof lineDifference>[1]
  /** Denominations without a number are counted as none. */
  isCounted: boolean
  currency: CollectionDetail['currency']
  text: string
  type?: (text: string) => void
  move?: (event: KeyboardEvent) => void
}

function Row({ line, sides, compared, isCounted, currency, text, type, move }: RowProps) {
  const { t } = useTranslation('cash-collection')
  const format = useFormat()
  const pieces = (count: number | null) => (count === null ? '–' : format.number(count))
  const { value, kind, counted } = line
  const lineCount = type ? readPieces(text) : counted
  const difference = lineDifference({ ...line, counted: isCounted ? (lineCount ?? null) : null }, compared)
  const name = format.money(value, currency)
  return (
    <tr>
      <th scope="row">
        {name}
        <Text span c="dimmed" fw={400} className={classes.kind}>
          {t(`kind.${kind}`)}
        </Text>
      </th>
      {sides.map((side) => (
        <td key={side} className={onWide(side, compared.side)}>
          {pieces(line[side])}
        </td>
      ))}
      <td>
        {type ? (
          <input
            className={classes.pieces}
            inputMode="numeric"
            autoComplete="off"
            enterKeyHint="next"
            maxLength={12}
            aria-label={t('count.pieces', { value: name })}
            aria-invalid={lineCount === undefined}
            value={text}
            onChange={(event) => type(event.currentTarget.value)}
            onFocus={(event) => event.currentTarget.select()}
            onKeyDown={move}
          />
        ) : (
          pieces(counted)
        )}
      </td>
      {sides.length > 0 && (
        <td className={difference ? classes.off : undefined}>
          {difference === null ? '–' : signedPieces(difference, format.number)}
        </td>
      )}
      <td className="wide-only">{lineCount ? <Amount minor={lineCount * value} currency={currency} /> : '–'}</td>
    </tr>
  )
}

/** Another user has counted the bag meanwhile: their total, and whose count stays. */
function ConflictNote({ conflict, take, keep }: { conflict: CountConflict; take: () => void; keep: () => void }) {
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
