import { Button, SimpleGrid, Stack } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { adminStats } from '#contract/insight/admin-stats.ts'
import { queryOf } from '#portal/app/api.ts'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { Connections } from './Connections.tsx'
import { GrowthCard } from './GrowthCard.tsx'
import { OperationsCard } from './OperationsCard.tsx'
import { PeopleCard } from './PeopleCard.tsx'
import { useRevealed } from './revealed.ts'
import { TotalCards } from './TotalCards.tsx'

/** The refresh interval, independent of live updates. */
const refetchInterval = 5 * 60_000

/** The platform's KPIs. They are hidden until the user reveals them, and each links to the list behind it. */
export default function AdminDashboardScreen() {
  const { t } = useTranslation('admin-dashboard')
  const [isRevealed, reveal] = useRevealed()
  // Hidden figures are not fetched.
  const options = { refetchInterval, enabled: isRevealed }
  const merchants = useQuery({ ...queryOf(adminStats.getMerchantStats), ...options })
  const machines = useQuery({ ...queryOf(adminStats.getMachineStats), ...options })
  const people = useQuery({ ...queryOf(adminStats.getUserStats), ...options })
  const sales = useQuery({ ...queryOf(adminStats.getSalesStats), ...options })
  const alarms = useQuery({ ...queryOf(adminStats.getAlarmStats), ...options })
  const operations = useQuery({ ...queryOf(adminStats.getOperationStats), ...options })
  const failed = [merchants, machines, people, sales, alarms, operations].find(({ error, data }) => error && !data)
  const Eye = isRevealed ? IconEyeOff : IconEye
  return (
    <>
      <ScreenHeader
        title={t('title')}
        subtitle={t('subtitle')}
        actions={
          <Button
            variant="default"
            leftSection={<Eye size={16} aria-hidden />}
            aria-pressed={isRevealed}
            onClick={() => reveal(!isRevealed)}
          >
            {t(isRevealed ? 'hide' : 'reveal')}
          </Button>
        }
      />
      {failed ? (
        <ErrorState error={failed.error} retry={failed.refetch} />
      ) : (
        <Stack gap="part">
          <TotalCards merchants={merchants.data} machines={machines.data} sales={sales.data} alarms={alarms.data} />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="part">
            <Connections machines={machines.data} />
            <PeopleCard people={people.data} />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="part">
            <GrowthCard of="merchants" growth={merchants.data?.growth} />
            <GrowthCard of="machines" growth={machines.data?.growth} />
          </SimpleGrid>
          <OperationsCard operations={operations.data} />
        </Stack>
      )}
    </>
  )
}
