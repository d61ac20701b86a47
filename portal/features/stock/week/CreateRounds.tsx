import { Button, Flex, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type CreatedRound, type WeekRound, weekPlans } from '#contract/stock/week-plan.ts'
import { useCommand } from '#portal/app/api.ts'
import { sentenceOf } from '#portal/app/apiError.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { toast } from '#portal/app/toast/toast.tsx'

/** Rounds of one call: a call computes what each of them loads. */
const atOnce = 10

/** Creates the rounds of the chosen stops, some at a time; what is created already is not created again. */
export function CreateRounds({ rounds, merchantId }: { rounds: readonly WeekRound[]; merchantId: string }) {
  const { t } = useTranslation(['week-plan', 'errors'])
  const format = useFormat()
  const create = useCommand(weekPlans.createWeekRounds, { isQuiet: true })
  const send = async () => {
    const orders = rounds.map(({ routeId, day, stops }) => ({ routeId, day, posIds: stops.map(({ posId }) => posId) }))
    const created: CreatedRound[] = []
    for (let from = 0; from < orders.length; from += atOnce) {
      const body = { rounds: orders.slice(from, from + atOnce) }
      created.push(...(await create.mutateAsync({ params: { merchantId }, body })).rounds)
    }
    const already = created.filter(({ outcome }) => outcome === 'alreadyPlanned').length
    const count = created.length - already
    toast.success('week-plan:created', { count, number: format.number(count) })
    if (already > 0) toast.success('week-plan:already', { count: already, number: format.number(already) })
  }
  return (
    <Flex gap="near" wrap="wrap" align="center">
      <Button
        loading={create.isPending}
        disabled={rounds.length === 0}
        onClick={() => void send().catch(() => undefined)}
      >
        {t('create', { count: rounds.length, number: format.number(rounds.length) })}
      </Button>
      {create.error && (
        <Text c="crit" role="alert">
          {sentenceOf((key, values) => t(key, values), create.error)}
        </Text>
      )}
    </Flex>
  )
}
