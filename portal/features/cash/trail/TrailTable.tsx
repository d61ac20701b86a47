import { Box, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CashTrail, TrailStep } from '#contract/cash/cash-trail.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useCodeNames } from '#portal/features/sales/transaction/useCodeNames.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'

interface Props {
  trail: CashTrail
  /** The first step that is shown. */
  first: number
  /** The step at which the difference began; -1 without one. */
  began: number
}

/** What moved is text, and may take several lines. */
const words = { textAlign: 'start', whiteSpace: 'normal' } as const
const beginning = { background: 'var(--crit-soft)' }

const heads = ['when', 'moved', 'inOut', 'expected', 'box', 'tubes', 'difference'] as const
/** A phone shows what moved and the difference. */
const wideHeads: readonly string[] = ['inOut', 'expected', 'box', 'tubes']

/** The steps of a trail, the newest first, with the collection above and the first report below. */
export function TrailTable({ trail, first, began }: Props) {
  const { t } = useTranslation('cash')
  const { currency, steps, base, collection, timeZone } = trail
  const amount = (minor: number | null) => (minor === null ? '–' : <Amount minor={minor} currency={currency} />)
  const shown = steps.slice(first).map((step, at) => ({ step, isStart: first + at === began }))
  const last = steps.at(-1)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard
    <Box className="scrolls" role="region" tabIndex={0} aria-label={t('trail.title')}>
      <table className={numbers.table}>
        <caption className="unseen">{t('trail.title')}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th
                key={head}
                scope="col"
                className={wideHeads.includes(head) ? 'wide-only' : undefined}
                style={head === 'moved' ? words : undefined}
              >
                {t(`trail.head.${head}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {collection && (
            <tr>
              <th scope="row">
                <When at={collection.at} as="minute" timeZone={timeZone} />
              </th>
              <td style={words}>{t('trail.collection')}</td>
              <td className="wide-only">{amount(last?.moved ?? 0)}</td>
              <td className="wide-only">{amount(collection.expected)}</td>
              <td className="wide-only" colSpan={2}>
                {t('trail.countedAmount')} {amount(collection.counted)}
              </td>
              <td>
                <Difference minor={collection.difference} currency={currency} />
              </td>
            </tr>
          )}
          {shown.toReversed().map(({ step, isStart }) => (
            <tr key={step.at ?? 'now'} style={isStart ? beginning : undefined}>
              <th scope="row">
                {step.at ? <When at={step.at} as="minute" timeZone={timeZone} /> : t('trail.afterLast')}
                {isStart && (
                  <Text span display="block" fz="xs" c="crit">
                    {t('trail.beganHere')}
                  </Text>
                )}
              </th>
              <td style={words}>
                <Moves step={step} currency={currency} />
              </td>
              <td className="wide-only">{amount(step.moved)}</td>
              <td className="wide-only">{amount(step.expected)}</td>
              <td className="wide-only">{amount(step.box)}</td>
              <td className="wide-only">{amount(step.tubes)}</td>
              <td>
                <Difference minor={step.difference} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
        {base && first === 0 && (
          <tfoot>
            <tr>
              <th scope="row">
                <When at={base.at} as="minute" timeZone={timeZone} />
              </th>
              <td style={words}>{t('trail.base')}</td>
              <td className="wide-only" />
              <td className="wide-only">{amount(base.box + base.tubes)}</td>
              <td className="wide-only">{amount(base.box)}</td>
              <td className="wide-only">{amount(base.tubes)}</td>
              <td />
            </tr>
          </tfoot>
        )}
      </table>
    </Box>
  )
}

function Difference({ minor, currency }: { minor: number | null; currency: CashTrail['currency'] }) {
  const { money } = useFormat()
  if (minor === null) return '–'
  if (minor === 0)
    return (
      <Text span c="ok">
        {money(0, currency)}
      </Text>
    )
  return (
    <Badge tone="crit">
      {minor > 0 ? '+' : ''}
      {money(minor, currency)}
    </Badge>
  )
}

/** What moved in a step, by type. */
function Moves({ step: { movements, readings }, currency }: { step: TrailStep; currency: CashTrail['currency'] }) {
  const { t } = useTranslation('cash')
  const { number } = useFormat()
  const names = useCodeNames()
  return (
    <Stack component="span" gap={0}>
      {movements.length === 0 && (
        <Text span c="dimmed">
          {t('trail.nothingMoved')}
        </Text>
      )}
      {movements.map(({ type, count, cash }) => (
        <span key={type}>
          {names.type(type)} ({number(count)}) <Amount minor={cash} currency={currency} />
        </span>
      ))}
      {readings > 1 && (
        <Text span c="dimmed" fz="xs">
          {t('trail.readings', { count: readings, number: number(readings) })}
        </Text>
      )}
    </Stack>
  )
}
