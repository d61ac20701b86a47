import { Checkbox, Flex, NativeSelect, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { planograms } from '#contract/catalogue/planogram.ts'
import { machines } from '#contract/machines/machine.ts'
import { priceRoundings } from '#contract/vocabulary/catalogue/price.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { shownUnit } from '#domain/catalogue/price-rule.ts'
import { dayIn } from '#domain/time/period.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { DayInput } from '#portal/ui/form/choices/DayInput.tsx'
import { FindOne } from '#portal/ui/form/choices/FindSelect.tsx'
import { MoneyInput } from '#portal/ui/form/fields/MoneyField.tsx'
import { NumberInput } from '#portal/ui/form/fields/NumberField.tsx'
import { useRuleSentence } from '#portal/ui/form/useRuleSentence.ts'
import { Segments } from '#portal/ui/value/Segments.tsx'
import classes from './PriceChange.module.css'
import { faultOf, isDayAhead, type PriceDraft, ruleKinds } from './priceDraft.ts'

interface Props {
  draft: PriceDraft
  change: (part: Partial<PriceDraft>) => void
  currency: Currency | undefined
  /** Of the chosen machines. */
  zones: readonly string[]
}

const day = 86_400_000
const directions = ['raise', 'lower'] as const

/** The second step: how prices change, when, and whether they are sent. */
export function RuleStep({ draft, change, currency, zones }: Props) {
  const { t } = useTranslation('price-change')
  return (
    <Stack gap="wide">
      <Radio.Group
        value={draft.kind ?? ''}
        onChange={(kind) => change({ kind: ruleKinds.find((one) => one === kind) })}
        label={t('rule.title')}
        classNames={{ label: classes.subtitle }}
      >
        <SimpleGrid minColWidth="min(260px, 100%)" spacing="xs">
          {ruleKinds.map((kind) => (
            <Radio
              key={kind}
              value={kind}
              classNames={{ root: classes.card, labelWrapper: classes.cardLabel }}
              label={
                <Stack component="span" gap={0}>
                  <strong>{t(`rule.${kind}`)}</strong>
                  <Text span c="dimmed" fz="sm">
                    {t(`rule.${kind}Text`)}
                  </Text>
                </Stack>
              }
            />
          ))}
        </SimpleGrid>
      </Radio.Group>
      <RuleFields draft={draft} change={change} currency={currency} />
      <WhenFields draft={draft} change={change} zones={zones} />
    </Stack>
  )
}

type RuleProps = Omit<Props, 'zones'>

/** The sentence of what is wrong with the numbers of a rule. */
function useRuleFault(draft: PriceDraft) {
  const { t } = useTranslation('price-change')
  const sayRule = useRuleSentence()
  const fault = faultOf(draft)
  return fault && (fault === 'number' ? t('rule.unclear') : sayRule(fault))
}

function RuleFields({ draft, change, currency }: RuleProps) {
  const { t } = useTranslation('price-change')
  const error = useRuleFault(draft)
  if (draft.kind === 'set' && currency)
    return (
      <MoneyInput
        className={classes.number}
        label={t('rule.price')}
        withAsterisk
        required
        value={draft.price}
        set={(price) => change({ price })}
        currency={currency}
        error={error}
      />
    )
  if (draft.kind === 'add' && currency)
    return (
      <Flex rowGap="xs" columnGap="part" wrap="wrap" align="flex-end" className={classes.line}>
        <DirectionChoice draft={draft} change={change} />
        <MoneyInput
          className={classes.number}
          label={t('rule.amount')}
          withAsterisk
          required
          value={draft.amount}
          set={(amount) => change({ amount })}
          currency={currency}
          error={error}
        />
      </Flex>
    )
  if (draft.kind === 'percent') return <PercentFields draft={draft} change={change} currency={currency} />
  if (draft.kind === 'planogram')
    return (
      <Stack gap="sm" w="100%" maw={520}>
        <Checkbox
          label={t('rule.ownPlanogram')}
          checked={draft.isOwnPlanogram}
          onChange={(event) => change({ isOwnPlanogram: event.currentTarget.checked })}
        />
        {!draft.isOwnPlanogram && (
          <FindOne
            row={planograms.listPlanograms}
            label={t('rule.whichPlanogram')}
            value={draft.planogram}
            choose={(planogram) => change({ planogram })}
          />
        )}
      </Stack>
    )
  if (draft.kind === 'machine')
    return (
      <Stack gap="sm" w="100%" maw={520}>
        <FindOne
          row={machines.listMachines}
          label={t('rule.whichMachine')}
          description={t('rule.whichMachineHint')}
          value={draft.machine}
          choose={(machine) => change({ machine })}
        />
      </Stack>
    )
  return null
}

/** Whether prices rise or fall. */
function DirectionChoice({ draft, change }: Pick<Props, 'draft' | 'change'>) {
  const { t } = useTranslation('price-change')
  return (
    <Segments
      name={t('rule.direction')}
      value={draft.direction}
      options={directions.map((value) => ({ value, label: t(`rule.${value}`) }))}
      choose={(value) => change({ direction: value })}
    />
  )
}

/** Percent, and how the new prices are rounded. */
function PercentFields({ draft, change, currency }: RuleProps) {
  const { t } = useTranslation(['price-change', 'vocabulary'])
  const { money } = useFormat()
  const error = useRuleFault(draft)
  return (
    <Flex rowGap="xs" columnGap="part" wrap="wrap" align="flex-end" className={classes.line}>
      <DirectionChoice draft={draft} change={change} />
      <NumberInput
        className={classes.number}
        label={t('price-change:rule.byPercent')}
        withAsterisk
        required
        digits={2}
        unit="%"
        min={0}
        value={draft.percent}
        set={(percent) => change({ percent })}
        error={error}
      />
      <NativeSelect
        className={classes.number}
        label={t('price-change:rule.rounding')}
        description={
          currency && t('price-change:rule.roundingHint', { amount: money(5 * shownUnit(currency), currency) })
        }
        value={draft.rounding}
        onChange={(event) =>
          change({ rounding: priceRoundings.find((one) => one === event.currentTarget.value) ?? 'none' })
        }
        data={priceRoundings.map((value) => ({ value, label: t(`vocabulary:priceRounding.${value}`) }))}
      />
    </Flex>
  )
}

function WhenFields({ draft, change, zones }: Omit<Props, 'currency'>) {
  const { t } = useTranslation('price-change')
  const [zone = 'UTC'] = zones
  const tomorrow = dayIn(new Date(Date.now() + day), zone)
  return (
    <Stack component="section" gap="sm" align="flex-start" pt="md" className={classes.scope}>
      <h3 className={classes.subtitle}>{t('when.title')}</h3>
      <Flex rowGap="xs" columnGap="part" wrap="wrap" align="flex-end" className={classes.line}>
        <Segments
          name={t('when.title')}
          value={draft.when}
          options={(['now', 'later'] as const).map((value) => ({ value, label: t(`when.${value}`) }))}
          choose={(when) => change({ when, day: draft.day ?? tomorrow })}
        />
        {draft.when === 'later' && (
          <DayInput
            className={classes.number}
            label={t('when.day')}
            description={t('when.dayHint')}
            withAsterisk
            required
            min={tomorrow}
            timeZone={zone}
            value={draft.day}
            set={(next) => change({ day: next })}
            error={isDayAhead(draft, zones) ? undefined : t('when.past')}
          />
        )}
      </Flex>
      {draft.when === 'later' && (
        <TextInput
          w="100%"
          maw={520}
          label={t('when.name')}
          maxLength={80}
          value={draft.planName}
          onChange={(event) => change({ planName: event.currentTarget.value })}
        />
      )}
      <Checkbox
        label={t(draft.when === 'now' ? 'when.send' : 'when.sendThen')}
        description={t(draft.send ? 'when.sendHint' : 'when.saveHint')}
        checked={draft.send}
        onChange={(event) => change({ send: event.currentTarget.checked })}
      />
    </Stack>
  )
}
