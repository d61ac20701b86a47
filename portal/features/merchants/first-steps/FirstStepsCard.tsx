import { Box, Button, Flex, Group, Text, ThemeIcon } from '@mantine/core'
import { IconCheck, IconCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type FirstSteps, firstSteps } from '#contract/merchants/first-steps.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useMay } from '#portal/app/session/useMay.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { placesOf } from './placesOf.ts'

/** As tall as the checklist, so that nothing moves when it loads. */
const height = 372

/** What a new merchant sets up first; facts tick it. A user closes it for all users of the merchant. */
export default function FirstStepsCard() {
  const { t } = useTranslation('first-steps')
  const format = useFormat()
  const { id: merchantId } = useMerchant()
  const params = { merchantId }
  const { data, error, refetch } = useQuery(queryOf(firstSteps.getFirstSteps, { params }))
  const close = useCommand(firstSteps.updateFirstSteps, { says: 'first-steps:closed' })
  const mayClose = useMay(firstSteps.updateFirstSteps)
  const done = data?.steps.filter(({ isDone }) => isDone).length ?? 0
  return (
    <Card
      title={t('title')}
      note={data && t('progress', { done: format.number(done), all: format.number(data.steps.length) })}
      actions={
        mayClose && (
          <Button
            size="xs"
            variant={data && done === data.steps.length ? 'filled' : 'default'}
            loading={close.isPending}
            onClick={() => close.mutate({ params, body: { isClosed: true } })}
          >
            {t('close')}
          </Button>
        )
      }
      isFlush
    >
      {error && !data ? (
        <ErrorState error={error} retry={refetch} isSmall />
      ) : (
        <Box component="ol" mih={height} pb="xs" aria-busy={!data}>
          {data?.steps.map((one) => (
            <Step key={one.step} {...one} />
          ))}
        </Box>
      )}
    </Card>
  )
}

function Step({ step, isDone }: FirstSteps['steps'][number]) {
  const { t } = useTranslation('first-steps')
  const { timeZone, currency } = useMerchant()
  const place = placesOf[step]
  return (
    <Flex component="li" rowGap="snug" columnGap="sm" wrap="wrap" align="center" px="md" py="xs" mih={52}>
      <ThemeIcon size={24} radius="xl" variant={isDone ? 'light' : 'transparent'} color={isDone ? 'ok' : 'gray'}>
        {isDone ? <IconCheck size={15} aria-hidden /> : <IconCircle size={20} stroke={1.4} aria-hidden />}
      </ThemeIcon>
      <Box flex={{ base: '1 1 75%', xs: '1' }} miw={0}>
        <Text fw={600}>
          {t(`step.${step}.title`)}
          <span className="unseen"> {t(isDone ? 'done' : 'open')}</span>
        </Text>
        <Text c="dimmed" fz="sm">
          {t(`step.${step}.text`, { zone: timeZone.replaceAll('_', ' '), currency })}
        </Text>
      </Box>
      {place && (
        <Group flex="none" ml={{ base: 36, xs: 0 }}>
          <Button<typeof PlaceLink>
            component={PlaceLink}
            place={place}
            size="xs"
            variant={isDone ? 'subtle' : 'light'}
            aria-label={`${t(`step.${step}.go`)}: ${t(`step.${step}.title`)}`}
          >
            {t(`step.${step}.go`)}
          </Button>
        </Group>
      )}
    </Flex>
  )
}
