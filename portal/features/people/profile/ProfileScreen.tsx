import { Button, NativeSelect, Stack, Text, TextInput, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { roleMay } from '#contract/access.ts'
import { sessions } from '#contract/people/session.ts'
import { type Me, UpdateMe, users } from '#contract/people/user.ts'
import { type Language, languageNames, languages } from '#contract/vocabulary/world/languages.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { speak } from '#portal/app/i18n/i18n.ts'
import { chooseLanguage } from '#portal/app/i18n/language.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { useDensity } from '#portal/app/theme/density.ts'
import { usePreference } from '#portal/app/theme/preferences.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { Segments } from '#portal/ui/value/Segments.tsx'
import classes from './Profile.module.css'
import { Sessions } from './Sessions.tsx'
import { SettingRow } from './SettingRow.tsx'

const schemes = ['light', 'dark', 'auto'] as const
const densities = ['dense', 'comfortable'] as const
const moneyStyles = ['currency', 'language'] as const

/** In minor units. */
const exampleAmount = 123_450
const exampleNumber = 3365

/** The user's own name, language, appearance, password and sessions. */
export default function ProfileScreen() {
  const { t } = useTranslation('profile')
  const { me } = useSession()
  if (!me) return null
  return (
    <>
      <ScreenHeader title={t('title')} />
      <Stack gap="part" maw={720}>
        <Profile key={me.id} me={me} />
        <Appearance />
        <Security />
        <Sessions />
      </Stack>
    </>
  )
}

const ProfileFields = UpdateMe.omit({ version: true })
type Profile = z.infer<typeof ProfileFields>
const profileOf = ({ version, name, language }: Me) => ({ version, values: { name, language } })

const licensingOf = ({ role, mayLicense }: Me) => {
  if (mayLicense) return 'may'
  return roleMay(role, 'license.write') ? 'mayNot' : 'never'
}

function Profile({ me }: { me: Me }) {
  const { t } = useTranslation(['profile', 'shell'])
  const { updated } = useSession()
  const form = useSchemaForm<Profile>(ProfileFields, profileOf(me).values)
  const update = useCommand(users.updateMe, { isQuiet: true })
  const save = async (values: Profile, version: number) => {
    const after = await update.mutateAsync({ body: { version, ...values } })
    await speak(after.language ?? chooseLanguage({ browser: navigator.languages })).catch(toast.error)
    updated(after)
    toast.success('profile:saved')
    return after
  }
  const record = {
    ...profileOf(me),
    read: (person: unknown) => profileOf(person as Me),
    names: { name: t('profile:name'), language: t('profile:language') },
    say: (field: string, value: unknown) =>
      field === 'language' ? (value ? languageNames[value as Language] : t('profile:languageAuto')) : String(value),
  }
  return (
    <Card title={t('profile:you')}>
      <FormScreen form={form} record={record} save={save} isSaving={update.isPending} error={update.error}>
        <TextField form={form} name="name" label={t('profile:name')} isRequired autoComplete="name" maxLength={200} />
        <TextInput
          label={t('profile:email')}
          description={t('profile:emailText')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={me.email}
          readOnly
          classNames={{ input: classes.readOnly }}
        />
        <NativeSelect
          label={t('profile:language')}
          description={t('profile:languageText')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={[
            { value: '', label: t('profile:languageAuto') },
            ...languages.map((value) => ({ value, label: languageNames[value] })),
          ]}
          value={form.getValues().language ?? ''}
          onChange={(event) => form.setFieldValue('language', (event.currentTarget.value || null) as Language | null)}
        />
        <div>
          <Text span fz="sm" fw={500}>
            {t('profile:role')}
          </Text>
          <Stack component="p" gap={0} mt="hair">
            <strong>{t(`shell:roles.${me.role}`)}</strong>
            <Text span display="block" c="dimmed" fz="fine">
              {t(`profile:roleText.${me.role}`)}
            </Text>
          </Stack>
        </div>
        <div>
          <Text span fz="sm" fw={500}>
            {t('profile:licences.label')}
          </Text>
          <Stack component="p" gap={0} mt="hair">
            {t(`profile:licences.${licensingOf(me)}`)}
          </Stack>
        </div>
      </FormScreen>
    </Card>
  )
}

function Appearance() {
  const { t } = useTranslation(['profile', 'palette'])
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [density, setDensity] = useDensity()
  const [money, setMoney] = usePreference('money', 'currency')
  const { currency } = useMerchant()
  const format = useFormat()
  return (
    <Card title={t('profile:look')} note={t('profile:lookText')}>
      <Stack gap={0}>
        <Setting label={t('palette:user.theme.label')}>
          {(labelledBy) => (
            <Segments
              labelledBy={labelledBy}
              value={colorScheme}
              choose={setColorScheme}
              options={schemes.map((value) => ({ value, label: t(`palette:user.theme.${value}`) }))}
            />
          )}
        </Setting>
        <Setting label={t('palette:user.density.label')}>
          {(labelledBy) => (
            <Segments
              labelledBy={labelledBy}
              value={density}
              choose={setDensity}
              options={densities.map((value) => ({ value, label: t(`palette:user.density.${value}`) }))}
            />
          )}
        </Setting>
        <Setting
          label={
            <>
              {t('profile:money.label')}
              <Text span display="block" c="dimmed" fz="fine">
                {t('profile:money.example', {
                  number: format.number(exampleNumber),
                  money: format.money(exampleAmount, currency ?? 'EUR'),
                })}
              </Text>
            </>
          }
        >
          {(labelledBy) => (
            <Segments
              labelledBy={labelledBy}
              value={money}
              choose={setMoney}
              options={moneyStyles.map((value) => ({ value, label: t(`profile:money.${value}`) }))}
            />
          )}
        </Setting>
      </Stack>
    </Card>
  )
}

function Setting({ label, children }: { label: ReactNode; children: (labelledBy: string) => ReactNode }) {
  const id = useId()
  return (
    <SettingRow>
      <span id={id}>{label}</span>
      {children(id)}
    </SettingRow>
  )
}

function Security() {
  const { t } = useTranslation(['profile', 'palette'])
  const { changePassword, logout } = useSession()
  const { data } = useQuery(queryOf(sessions.listSessions))
  return (
    <Card title={t('profile:security')}>
      <Stack gap={0}>
        <SettingRow>
          <span>
            {t('profile:password')}
            <Text span display="block" c="dimmed" fz="fine">
              {t('profile:passwordText')}
            </Text>
          </span>
          <Button variant="default" onClick={changePassword}>
            {t('profile:changePassword')}
          </Button>
        </SettingRow>
        {data && !data.isKeptElsewhere && (
          <SettingRow>
            <span>
              {t('profile:twoSteps')}
              <Text span display="block" c="dimmed" fz="fine">
                {t('profile:twoStepsText')}
              </Text>
            </span>
            <Button component="a" href="/identity/security" variant="default">
              {t('profile:manageTwoSteps')}
            </Button>
          </SettingRow>
        )}
        <SettingRow>
          <span>
            {t('profile:session')}
            <Text span display="block" c="dimmed" fz="fine">
              {t('profile:sessionText')}
            </Text>
          </span>
          <Button variant="default" onClick={() => void logout()}>
            {t('palette:user.logout')}
          </Button>
        </SettingRow>
      </Stack>
    </Card>
  )
}
