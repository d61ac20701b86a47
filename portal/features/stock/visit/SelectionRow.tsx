import { ActionIcon, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconCheck, IconDots, IconMinus, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mostPieces } from '#contract/stock/pieces.ts'
import { mostOf } from '#domain/stock/bounds.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import classes from './Visit.module.css'
import { excessIn, type Line, levelAfter } from './visitLines.ts'

interface Props {
  line: Line
  /** What the server refused in it. */
  fault: string | undefined
  change: (with_: Partial<Line>) => void
}

/** A selection: what is in it, what to load with big buttons, and, opened, what was found and thrown away. */
export function SelectionRow({ line, fault, change }: Props) {
  const { t } = useTranslation('visit')
  const format = useFormat()
  const { selection, product, level, capacity, planned, loaded, isDone } = line
  const [isOpen, setOpen] = useState(line.waste > 0 || line.counted !== null)
  const after = levelAfter(line)
  const most = mostOf(line, line)
  const excess = excessIn(line)
  const wrong = excess ? t(`excess.${excess.field}`, { most: format.number(excess.most) }) : fault
  const levels = [
    level === null
      ? t('level.unknown')
      : level === 0
        ? t('level.out')
        : t('level.left', { number: format.number(level) }),
    after !== null &&
      t(capacity === null ? 'level.after' : 'level.afterOf', {
        number: format.number(after),
        capacity: format.number(capacity ?? 0),
      }),
  ]
  return (
    <li className={`${classes.line} ruled`} data-done={isDone || undefined} data-fault={wrong ? true : undefined}>
      <Group gap="near" wrap="nowrap" py="xs" pl="xs" pr="tight">
        <UnstyledButton
          className={classes.tick}
          aria-pressed={isDone}
          aria-label={t('confirm', { selection })}
          onClick={() => change(isDone ? { isDone: false } : {})}
        >
          {isDone && <IconCheck size={16} aria-hidden />}
        </UnstyledButton>
        <Stack gap="hair" flex="1" miw={0} className="breaks">
          <span>
            <strong>{selection}</strong> {product ?? t('noProduct')}
          </span>
          <Text span fz="sm" className={classes.fine} data-out={level === 0 || undefined}>
            {levels.filter(Boolean).join(' → ')}
          </Text>
          <InVan line={line} />
          {isDone && loaded !== planned && (
            <Text span c="warn" fz="sm">
              {t('plannedWas', { number: format.number(planned) })}
            </Text>
          )}
        </Stack>
        <Stepper
          name={t('loadedOf', { selection })}
          value={loaded}
          most={most.loaded}
          change={(value) => change({ loaded: value })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="md"
          aria-label={t('more', { selection })}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Group>
      {wrong && (
        <Text pb="xs" pl={54} pr="sm" c="crit" role="alert">
          {wrong}
        </Text>
      )}
      {isOpen && <CountAndWaste line={line} change={change} />}
    </li>
  )
}

/** What the van has of the product. A plan that an older version kept on the phone lacks it. */
function InVan({ line: { inVan, planned } }: { line: Line }) {
  const { t } = useTranslation('visit')
  const format = useFormat()
  if (!inVan) return null
  const { pieces, firstExpiresOn, expired } = inVan
  const first = firstExpiresOn && t('van.first', { day: format.day(firstExpiresOn) })
  return (
    <>
      <Text span fz="sm" c={pieces < planned ? 'warn' : 'dimmed'}>
        {[t('van.has', { number: format.number(pieces) }), first].filter(Boolean).join(' · ')}
      </Text>
      {expired > 0 && (
        <Text span fz="sm" c="crit">
          {t('van.expired', { count: expired, number: format.number(expired) })}
        </Text>
      )}
    </>
  )
}

/** What was found in a selection, and what was thrown away. */
function CountAndWaste({ line, change }: Pick<Props, 'line' | 'change'>) {
  const { t } = useTranslation('visit')
  const { selection, level, waste, counted } = line
  const most = mostOf(line, line)
  return (
    <div className={classes.other}>
      <span>{t('counted')}</span>
      {counted === null ? (
        <UnstyledButton
          mih={46}
          py={0}
          px="md"
          bd="1px solid var(--line-strong)"
          bdrs="lg"
          onClick={() => change({ counted: level ?? 0 })}
        >
          {t('count')}
        </UnstyledButton>
      ) : (
        <Stepper
          name={t('countedOf', { selection })}
          value={counted}
          most={most.counted}
          change={(value) => change({ counted: value })}
        />
      )}
      <span>{t('waste')}</span>
      <Stepper
        name={t('wasteOf', { selection })}
        value={waste}
        most={most.waste}
        change={(value) => change({ waste: value })}
      />
    </div>
  )
}

interface StepperProps {
  name: string
  value: number
  most: number
  change: (value: number) => void
}

/** A number with buttons that a thumb hits; it can also be typed. */
function Stepper({ name, value, most, change }: StepperProps) {
  const { t } = useTranslation('visit')
  // A typed number that is impossible stays as typed, and its line says why.
  const set = (next: number) => change(Math.max(0, Math.min(mostPieces, next)))
  return (
    <Group
      component="span"
      gap="tight"
      wrap="nowrap"
      flex="none"
      className={classes.stepper}
      role="group"
      aria-label={name}
    >
      <button type="button" aria-label={t('less')} disabled={value <= 0} onClick={() => set(value - 1)}>
        <IconMinus size={20} aria-hidden />
      </button>
      <input
        aria-label={name}
        inputMode="numeric"
        pattern="[0-9]*"
        value={value}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => set(Number(currentTarget.value.replaceAll(/\D/g, '')) || 0)}
      />
      <button type="button" aria-label={t('moreOne')} disabled={value >= most} onClick={() => set(value + 1)}>
        <IconPlus size={20} aria-hidden />
      </button>
    </Group>
  )
}
