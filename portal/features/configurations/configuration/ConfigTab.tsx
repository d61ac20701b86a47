import { Box, Button, Flex, NativeSelect, Stack } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Config, configurations } from '#contract/configurations/configuration.ts'
import { call, keyOf, metaOf, queryOf } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant, useMerchantOf } from '#portal/app/merchant.tsx'
import { isId, oneOf } from '#portal/app/search.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Difference } from './Difference.tsx'
import { useConfigWords } from './useConfigWords.ts'

/** Configurations offered for comparison at first, and loaded with each further request. */
const size = 200
const none = 'none'
const onItsWay = '\u2026'

/** The machine's configurations, page by page. */
const useConfigList = (params: { merchantId: string; posId: string }) =>
  useInfiniteQuery({
    queryKey: keyOf(configurations.listConfigs, { params, query: { size } }),
    meta: metaOf(configurations.listConfigs),
    queryFn: ({ pageParam: page, signal }) =>
      call(configurations.listConfigs, { params, query: { size, page } }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * size < total ? pages.length + 1 : undefined),
  })

/** One configuration, compared with another of the machine; by default with the previous one. */
export default function ConfigTab() {
  const { t } = useTranslation('configuration')
  const format = useFormat()
  const merchant = useMerchant()
  const go = useGo()
  const search = useAddressQuery()
  const { posId, historicalId } = useParams({ strict: false }) as { posId: string; historicalId: string }
  const params = { merchantId: merchant.id, posId }
  const answer = useQuery(queryOf(configurations.getConfig, { params: { ...params, configId: historicalId } }))
  const list = useConfigList(params)
  const { timeZone } = useMerchantOf(answer.data?.merchantId ?? merchant.id)
  // A configuration read meanwhile shifts the pages, so the next page starts with a known configuration.
  const offered = new Map(list.data?.pages.flatMap(({ items }) => items).map(({ id, readAt }) => [id, readAt]))
  const addressId = oneOf(search, 'against')
  const against =
    addressId === none ? undefined : addressId && isId(addressId) ? addressId : (answer.data?.beforeId ?? undefined)
  const other = useQuery({
    ...queryOf(configurations.getConfig, { params: { ...params, configId: against ?? historicalId } }),
    enabled: against !== undefined,
  })
  const config = answer.data
  const back = { to: '/devices/$posId/configs', params: { posId }, search: { merchant: oneOf(search, 'merchant') } }
  if (answer.error && !config) return <ErrorState error={answer.error} retry={answer.refetch} />
  if (!config) return <Box py="wide" c="dimmed" aria-busy="true" />
  const written = (at: string) => format.instant(instantOf(at) as Date, 'exact', timeZone)
  const isGone = other.error instanceof ApiError && other.error.code === 'ConfigurationNotFound'
  const others = [...offered].filter(([id]) => id !== historicalId)
  const left = (list.data?.pages[0]?.total ?? 0) - offered.size
  return (
    <Stack gap="part">
      <Flex gap="xs" wrap="wrap" align="flex-end">
        <Button<typeof PlaceLink>
          component={PlaceLink}
          place={back}
          variant="default"
          leftSection={<IconArrowLeft size={15} aria-hidden />}
        >
          {t('back')}
        </Button>
        <NativeSelect
          label={t('against')}
          value={against ?? none}
          onChange={(event) => {
            void go({ here: { against: event.currentTarget.value } }, { replace: true })
          }}
          data={[
            { value: none, label: t('alone') },
            ...others.map(([id, readAt]) => ({ value: id, label: written(readAt) })),
            ...(against === undefined || others.some(([id]) => id === against)
              ? []
              : [
                  { value: against, label: other.data ? written(other.data.readAt) : isGone ? t('expired') : onItsWay },
                ]),
          ]}
        />
        {list.hasNextPage && (
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('older', { number: format.number(left) })}
          </Button>
        )}
      </Flex>
      <ConfigFacts config={config} timeZone={timeZone} />
      <Card title={t(against ? 'difference' : 'content')}>
        {other.error && against ? (
          <ErrorState error={other.error} retry={other.refetch} />
        ) : against && !other.data ? (
          <Box py="wide" c="dimmed" aria-busy="true" />
        ) : (
          <Difference
            key={`${historicalId} ${against ?? ''}`}
            before={against ? other.data?.content : undefined}
            after={config.content}
          />
        )}
      </Card>
    </Stack>
  )
}

/** When and how a configuration was read. */
function ConfigFacts({ config, timeZone }: { config: Config; timeZone: string }) {
  const { t } = useTranslation('configuration')
  const format = useFormat()
  const words = useConfigWords()
  return (
    <Card title={t('one')} note={format.instant(instantOf(config.readAt) as Date, 'exact', timeZone)}>
      <Facts
        facts={[
          { name: t('column.readAt'), value: <When at={config.readAt} as="exact" timeZone={timeZone} /> },
          { name: t('column.confirmedAt'), value: <When at={config.confirmedAt} as="exact" timeZone={timeZone} /> },
          { name: t('column.origin'), value: words.origin(config) },
          { name: t('column.port'), value: words.port(config) },
          { name: t('column.machineTime'), value: config.machineTime?.replace('T', ' ') },
          { name: t('column.parameters'), value: format.number(config.parameters) },
        ]}
      />
    </Card>
  )
}
