import { Menu, Popover, ScrollArea, Stack, Text, TextInput, useMantineColorScheme } from '@mantine/core'
import {
  IconCheck,
  IconKeyboard,
  IconLanguage,
  IconListCheck,
  IconLogout,
  IconSearch,
  IconUser,
} from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { firstSteps } from '#contract/merchants/first-steps.ts'
import { type Me, users } from '#contract/people/user.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { type Language, languageNames, languages } from '#contract/vocabulary/world/languages.ts'
import { contains } from '#domain/frame/folded.ts'
import { useCommand } from '#portal/app/api.ts'
import { ontoCurrent } from '#portal/app/apiError.ts'
import { useGo } from '#portal/app/go.ts'
import { speak } from '#portal/app/i18n/i18n.ts'
import { keptVisits } from '#portal/app/keptVisits.ts'
import { useMerchant, useMerchants, useSwitchMerchant } from '#portal/app/merchant.tsx'
import { useMay } from '#portal/app/session/useMay.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { useDensity } from '#portal/app/theme/density.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import type { MenuProps } from './LazyMenu.tsx'
import classes from './menus.module.css'

/** From this many on, the switcher can be searched. */
const manyMerchants = 8

/** Chooses the merchant: all merchants first, then each by name. */
export function MerchantMenu({ target, ...popover }: MenuProps) {
  const { t } = useTranslation('shell')
  const merchants = useMerchants()
  const current = useMerchant()
  const switchTo = useSwitchMerchant()
  const [text, setText] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const matches = merchants.filter(({ name }) => contains(name, text))
  const rows = text.trim()
    ? matches
    : [
        { id: allMerchants, name: t('allMerchants'), timeZone: t('merchant.count', { count: merchants.length }) },
        ...matches,
      ]
  const pick = (id: string) => {
    popover.onChange(false)
    setText('')
    void switchTo(id)
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const options = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])]
    const at = options.indexOf(document.activeElement as HTMLElement)
    options[(at + step + options.length) % options.length]?.focus()
  }
  return (
    <Popover {...popover} position="bottom-start" width={320} trapFocus returnFocus>
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown p={6} onKeyDown={move} aria-label={t('merchant.title')}>
        {merchants.length >= manyMerchants && (
          <TextInput
            mb={6}
            data-autofocus
            aria-label={t('merchant.search')}
            placeholder={t('merchant.search')}
            leftSection={<IconSearch size={15} aria-hidden />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <ScrollArea.Autosize mah={360}>
          <Stack ref={list} gap={1}>
            {rows.map(({ id, name, timeZone }) => (
              <button
                key={id}
                type="button"
                className={classes.row}
                aria-current={id === current.id}
                onClick={() => pick(id)}
              >
                <Text span truncate fw={500}>
                  {name}
                </Text>
                <Text span c="dimmed" fz="xs">
                  {timeZone}
                </Text>
                {id === current.id && <IconCheck size={16} aria-hidden className={classes.tick} />}
              </button>
            ))}
            {rows.length === 0 && (
              <Text py="sm" px="xs" c="dimmed">
                {t('merchant.none')}
              </Text>
            )}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}

const schemes = ['light', 'dark', 'auto'] as const
const densities = ['dense', 'comfortable'] as const

/** The user's menu: profile, appearance, language, sign-out. */
export function UserMenu({ target, openShortcuts, ...menu }: MenuProps & { openShortcuts: () => void }) {
  const { t, i18n } = useTranslation(['shell', 'palette'])
  const { me, logout, updated } = useSession()
  const go = useGo()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [density, setDensity] = useDensity()
  const update = useCommand(users.updateMe, { onDone: updated, isQuiet: true })
  const { ask, dialog } = useConfirm()
  const merchant = useMerchant()
  const mayOpenSteps = useMay(firstSteps.updateFirstSteps)
  const steps = useCommand(firstSteps.updateFirstSteps)
  if (!me) return null
  const openSteps = async () => {
    await steps.mutateAsync({ params: { merchantId: merchant.id }, body: { isClosed: false } })
    await go({ to: '/dashboard' })
  }
  const visitCount = keptVisits()
  const leave = () =>
    visitCount === 0
      ? void logout()
      : ask({
          title: t('palette:user.kept.title', { count: visitCount }),
          consequence: t('palette:user.kept.text'),
          confirm: t('palette:user.logout'),
          dismiss: { how: 'staySignedIn', count: 1 },
          act: logout,
        })
  const choose = (language: Language) => {
    const save = ({ version, name }: Me) => update.mutateAsync({ body: { version, name, language } })
    void speak(language)
      .then(() => ontoCurrent(me, save))
      .catch((error: unknown) => import('#portal/app/toast/toast.tsx').then(({ toast }) => toast.error(error)))
  }
  return (
    <>
      <Menu {...menu} position="bottom-end" width={260} withinPortal={false}>
        <Menu.Target>{target}</Menu.Target>
        <Menu.Dropdown>
          <Stack gap={0} pt="near" pb="snug" px="sm" className={`${classes.person} breaks`}>
            <strong>{me.name}</strong>
            <span>{me.email}</span>
            <span>{t(`roles.${me.role}`)}</span>
          </Stack>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconUser size={16} aria-hidden />}
            onClick={() => void go({ to: '/settings/profile' })}
          >
            {t('palette:user.profile')}
          </Menu.Item>
          <Menu.Sub>
            <Menu.Sub.Target>
              <Menu.Sub.Item leftSection={<IconLanguage size={16} aria-hidden />}>
                {t('palette:user.language')}
              </Menu.Sub.Item>
            </Menu.Sub.Target>
            <Menu.Sub.Dropdown>
              <Menu.RadioGroup value={i18n.language} onChange={(language) => choose(language as Language)}>
                {languages.map((language) => (
                  <Menu.RadioItem key={language} value={language} lang={language} closeMenuOnClick>
                    {languageNames[language]}
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </Menu.Sub.Dropdown>
          </Menu.Sub>
          <Menu.Divider />
          <Menu.Label>{t('palette:user.theme.label')}</Menu.Label>
          <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as typeof colorScheme)}>
            {schemes.map((scheme) => (
              <Menu.RadioItem key={scheme} value={scheme}>
                {t(`palette:user.theme.${scheme}`)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Label>{t('palette:user.density.label')}</Menu.Label>
          <Menu.RadioGroup value={density} onChange={(one) => setDensity(one as typeof density)}>
            {densities.map((one) => (
              <Menu.RadioItem key={one} value={one}>
                {t(`palette:user.density.${one}`)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Label>{t('palette:user.help')}</Menu.Label>
          {mayOpenSteps && !merchant.isAll && (
            <Menu.Item leftSection={<IconListCheck size={16} aria-hidden />} onClick={() => void openSteps()}>
              {t('palette:user.firstSteps')}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconKeyboard size={16} aria-hidden />}
            rightSection={<kbd className={classes.key}>?</kbd>}
            onClick={openShortcuts}
          >
            {t('palette:user.shortcuts')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={leave}>
            {t('palette:user.logout')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  )
}
