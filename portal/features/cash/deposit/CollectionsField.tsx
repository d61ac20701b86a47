import { Button, Checkbox, Flex, Group, Input, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { cashCollections } from '#contract/cash/collection.ts'
import { type DepositedCollection, deposits, mostDeposited } from '#contract/cash/deposit.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { queryOf } from '#portal/app/api.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useMerchantOf } from '#portal/app/merchant.tsx'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { RecordField } from '#portal/ui/form/record/RecordFields.tsx'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'

type Depositable = Omit<DepositedCollection, 'status'>

/** The collections of the deposit itself, and counted collections without a deposit; the oldest first. */
function useDepositable(merchantId: string | undefined) {
  const { depositId } = useParams({ strict: false }) as { depositId?: string }
  const params = { merchantId: merchantId ?? '' }
  const own = useQuery({
    ...queryOf(deposits.getDeposit, { params: { ...params, depositId: depositId ?? '' } }),
    enabled: depositId !== undefined && merchantId !== undefined,
  })
  const others = useQuery({
    ...queryOf(cashCollections.listCashCollections, {
      params,
      query: {
        statuses: ['counted', 'disputed', 'closed'],
        isDeposited: 'false',
        size: mostDeposited,
        ord: 'at',
        ordType: 'DESC',
      },
    }),
    enabled: merchantId !== undefined,
  })
  const rows = new Map<string, Depositable>()
  for (const row of own.data?.collections ?? []) rows.set(row.id, row)
  for (const row of others.data?.items ?? []) rows.set(row.id, { ...row, counted: row.counted ?? 0 })
  return {
    rows: [...rows.values()].toSorted((one, other) => (one.at < other.at ? -1 : 1)),
    isLoading: others.isLoading || own.isLoading,
  }
}

/** The collections whose money is deposited, each with what was counted, and how their sum compares with the slip. */
export function CollectionsField({ values, merchantId, isNullable: _, ...field }: RecordField) {
  const { t } = useTranslation('deposit')
  const format = useFormat()
  const { value, set, input, isFixed } = useField<string[], Record<string, unknown>>(field)
  const { rows, isLoading } = useDepositable(merchantId)
  const { currency, timeZone } = useMerchantOf(merchantId)
  const chosen = new Set(value)
  const counted = rows.reduce((sum, row) => sum + (chosen.has(row.id) ? row.counted : 0), 0)
  const choose = (ids: readonly string[]) => set(rows.flatMap(({ id }) => (ids.includes(id) ? [id] : [])))
  const isAll = rows.length > 0 && rows.every(({ id }) => chosen.has(id))
  return (
    <Input.Wrapper label={input.label} error={input.error} className="whole">
      <Stack gap="near" mt="tight">
        {rows.length > 0 && !isFixed && (
          <Group>
            <Button variant="default" size="xs" onClick={() => choose(isAll ? [] : rows.map(({ id }) => id))}>
              {t(isAll ? 'chooseNone' : 'chooseAll')}
            </Button>
          </Group>
        )}
        {rows.length === 0 && !isLoading && <Text c="dimmed">{t('nothingCounted')}</Text>}
        <Stack component="ul" gap="tight" m={0} p={0} mah={420} style={{ listStyle: 'none', overflowY: 'auto' }}>
          {rows
            .filter(({ id }) => !isFixed || chosen.has(id))
            .map((row) => (
              <Panel key={row.id} component="li" p="sm" radius="inner" bg="transparent">
                <Flex gap="near" justify="space-between" align="center">
                  <Checkbox
                    checked={chosen.has(row.id)}
                    disabled={isFixed}
                    onChange={({ currentTarget }) =>
                      choose(currentTarget.checked ? [...chosen, row.id] : [...chosen].filter((id) => id !== row.id))
                    }
                    label={row.posName}
                    description={[format.instant(instantOf(row.at) ?? new Date(0), 'minute', timeZone), row.bagNumber]
                      .filter(Boolean)
                      .join(' · ')}
                  />
                  {currency && <Amount minor={row.counted} currency={currency} />}
                </Flex>
              </Panel>
            ))}
        </Stack>
        {currency && value.length > 0 && (
          <Sum counted={counted} count={value.length} amount={values.amount} currency={currency} />
        )}
      </Stack>
    </Input.Wrapper>
  )
}

/** What was counted of the chosen collections, and what of it is not on the slip. */
function Sum({
  counted,
  count,
  amount,
  currency,
}: {
  counted: number
  count: number
  amount: unknown
  currency: Currency
}) {
  const { t } = useTranslation('deposit')
  const { money, number } = useFormat()
  const difference = typeof amount === 'number' ? amount - counted : 0
  return (
    <Text component="output" fw={600} c={difference > 0 ? 'crit' : undefined}>
      {t('sum', { count, number: number(count), amount: money(counted, currency) })}
      {difference !== 0 &&
        ` · ${t(difference > 0 ? 'slipIsMore' : 'slipIsLess', { amount: money(Math.abs(difference), currency) })}`}
    </Text>
  )
}
