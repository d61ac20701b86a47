import { Button, NativeSelect } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { configurations } from '#contract/configuration.ts'
import { queryOf } from '../../app/api.ts'
import { instantOf, useFormat } from '../../app/i18n/format.ts'
import { useMerchant, useMerchantOf } from '../../app/merchant.tsx'
import { isId, oneOf, type Search } from '../../app/search.ts'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import { When } from '../../ui/When.tsx'
import classes from './Configuration.module.css'
import { Difference } from './Difference.tsx'
import { useConfigWords } from './useConfigWords.ts'

/** So many can be chosen to compare with. */
const offered = 200
const none = 'none'

/** One configuration, and what is different in it from any other of the machine; the one before unless another is chosen. */
export default function ConfigTab() {
  const { t } = useTranslation('configuration')
  const format = useFormat()
  const words = useConfigWords()
  const merchant = useMerchant()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Search
  const { posId, historicalId } = useParams({ strict: false }) as { posId: string; historicalId: string }
  const params = { merchantId: merchant.id, posId }
  const answer = useQuery(queryOf(configurations.getConfig, { params: { ...params, configId: historicalId } }))
  const list = useQuery(queryOf(configurations.listConfigs, { params, query: { size: offered } }))
  const { timeZone } = useMerchantOf(answer.data?.merchantId ?? merchant.id)
  const others = (list.data?.items ?? []).filter(({ id }) => id !== historicalId)
  const asked = oneOf(search, 'against')
  const earlier = others.find(({ readAt }) => answer.data && readAt < answer.data.readAt)
  const against = asked === none ? undefined : asked && isId(asked) ? asked : earlier?.id
  const other = useQuery({
    ...queryOf(configurations.getConfig, { params: { ...params, configId: against ?? historicalId } }),
    enabled: against !== undefined,
  })
  const config = answer.data
  const back = { to: '/devices/$posId/configs', params: { posId }, search: { merchant: oneOf(search, 'merchant') } }
  if (answer.error && !config) return <ErrorState error={answer.error} retry={answer.refetch} />
  if (!config) return <div className={classes.nothing} aria-busy="true" />
  const written = (at: string) => format.instant(instantOf(at) as Date, 'exact', timeZone)
  const isKnown = against === undefined || others.some(({ id }) => id === against)
  return (
    <div className={classes.view}>
      <div className={classes.bar}>
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
            const chosen = event.currentTarget.value
            void navigate({ to: '.', search: { ...search, against: chosen }, replace: true } as never)
          }}
          data={[
            { value: none, label: t('alone') },
            ...others.map(({ id, readAt }) => ({ value: id, label: written(readAt) })),
            ...(isKnown ? [] : [{ value: against, label: t('expired') }]),
          ]}
        />
      </div>
      <Card title={t('one')} note={written(config.readAt)}>
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
      <Card title={t(against ? 'difference' : 'content')}>
        {other.error && against ? (
          <ErrorState error={other.error} retry={other.refetch} />
        ) : against && !other.data ? (
          <div className={classes.nothing} aria-busy="true" />
        ) : (
          <Difference
            key={`${historicalId} ${against ?? ''}`}
            before={against ? other.data?.content : undefined}
            after={config.content}
          />
        )}
      </Card>
    </div>
  )
}
