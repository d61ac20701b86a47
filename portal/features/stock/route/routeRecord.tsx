import { Button, Input, NumberInput, Select, SimpleGrid, Stack } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { rounds } from '#contract/stock/round.ts'
import { NewRoute, type Route, routes } from '#contract/stock/route.ts'
import { queryOf } from '#portal/app/api.ts'
import { useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import { type DrawField, longText, type RecordField, text, yesOrNo } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'
import { DayChips } from './DayChips.tsx'
import { dayNames } from './dayNames.ts'
import { StopsField } from './StopsField.tsx'

function DaysField({ values: _, merchantId: __, isNullable: ___, ...field }: RecordField) {
  const { value, set, input, isFixed } = useField<number[], Record<string, unknown>>(field)
  return (
    <Input.Wrapper label={input.label} error={input.error} withAsterisk={input.withAsterisk}>
      <DayChips label={field.label} days={value} set={set} isFixed={isFixed} />
    </Input.Wrapper>
  )
}

function DriverField({ values: _, merchantId, isNullable: __, ...field }: RecordField) {
  const { t } = useTranslation('route')
  const { value, set, leave, input } = useField<string | null, Record<string, unknown>>(field)
  const users = useQuery({
    ...queryOf(rounds.listRoundAssignees, { params: { merchantId: merchantId ?? '' } }),
    enabled: merchantId !== undefined,
  })
  return (
    <Select
      {...input}
      placeholder={t('nobody')}
      data={users.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      value={value || null}
      clearable
      searchable
      onChange={set}
      onBlur={leave}
    />
  )
}

interface Place {
  latitude: number | ''
  longitude: number | ''
}

/** Both coordinates, or none. */
function StartField({ values: _, merchantId: __, isNullable: ___, ...field }: RecordField) {
  const { t } = useTranslation('route')
  const { value, set, leave, input } = useField<Place | null, Record<string, unknown>>(field)
  const place = value || { latitude: '' as const, longitude: '' as const }
  const change = (changed: Partial<Record<keyof Place, string | number>>) => {
    const next = { ...place, ...changed }
    set(next.latitude === '' && next.longitude === '' ? null : (next as Place)) // Cast: the schema refuses what is no number.
  }
  const coordinate = (part: keyof Place, most: number) => (
    <NumberInput
      label={t(part)}
      value={place[part]}
      min={-most}
      max={most}
      decimalScale={6}
      hideControls
      disabled={input.disabled}
      readOnly={input.readOnly}
      error={Boolean(field.form.errors[`start.${part}`])}
      onChange={(number) => change({ [part]: number })}
      onBlur={leave}
    />
  )
  return (
    <Input.Wrapper label={input.label} error={input.error}>
      <SimpleGrid cols={2} spacing="sm">
        {coordinate('latitude', 90)}
        {coordinate('longitude', 180)}
      </SimpleGrid>
    </Input.Wrapper>
  )
}

const days: DrawField = (field) => <DaysField {...field} />
const driver: DrawField = (field) => <DriverField {...field} />
const start: DrawField = (field) => <StartField {...field} />
const stops: DrawField = (field) => <StopsField {...field} />

/** A route as users create and edit it. */
export const { Create, Details } = recordScreens<Route>({
  words: 'route',
  schema: NewRoute,
  cards: {
    route: { name: text, days, assigneeId: driver, note: longText },
    start: { startAddress: text, start, returns: yesOrNo },
    stops: { stops },
  },
  param: 'routeId',
  get: routes.getRoute,
  create: routes.createRoute,
  update: routes.updateRoute,
  placeOf: ({ id }) => ({ to: '/devices/routes/$routeId', params: { routeId: id } }),
  list: { to: '/devices/routes' },
  newIn: () => ({ days: [1, 2, 3, 4, 5] }),
})

const tabs = { details: '/devices/routes/$routeId' }

/** Opens a new round with the machines of a route. */
function NewRound({ routeId }: { routeId: string }) {
  const { t } = useTranslation('route')
  const go = useGo()
  const mayPlan = useMay(rounds.createRound)
  if (!mayPlan) return null
  return (
    <Button
      variant="default"
      leftSection={<IconRoute size={15} aria-hidden />}
      onClick={() => void go({ to: '/devices/rounds/create', search: { route: routeId } })}
    >
      {t('newRound')}
    </Button>
  )
}

/** A route with its form. */
export function Page() {
  const { t } = useTranslation('route')
  const format = useFormat()
  return (
    <Stack gap={0}>
      <RecordPage
        get={routes.getRoute}
        param="routeId"
        words="route"
        remove={routes.deleteRoute}
        list="/devices/routes"
        subtitle={(route) => [
          dayNames(route.days, format.locale),
          route.assigneeName ?? t('nobody'),
          route.startAddress,
        ]}
        actions={({ id }) => <NewRound routeId={id} />}
        tabs={tabs}
      />
    </Stack>
  )
}
