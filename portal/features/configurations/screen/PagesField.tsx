import { ActionIcon, Button, Flex, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  mostScreenButtons,
  mostScreenPages,
  type NewScreenConfiguration,
  type ScreenButton,
  type ScreenPage,
} from '#contract/configurations/screen-content.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { useProductChoices } from '#portal/features/catalogue/planogram/lines/useProductChoices.ts'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { ButtonPanel } from './ButtonPanel.tsx'
import classes from './Screen.module.css'
import { ScreenPreview } from './ScreenPreview.tsx'
import { TextsInputs } from './TextsInputs.tsx'

/** The first number that no button of a page has. */
const freeSelection = (buttons: readonly ScreenButton[]) => {
  const usedSelections = new Set(buttons.map(({ selection }) => selection))
  let number = 1
  while (usedSelections.has(String(number))) number += 1
  return String(number)
}

const moved = <T,>(all: readonly T[], from: number, to: number): T[] => {
  const next = [...all]
  const [one] = next.splice(from, 1)
  if (one !== undefined) next.splice(to, 0, one)
  return next
}

/** The menu: its pages beside a live preview, in which buttons are chosen and dragged. */
export const PagesField: DrawField = ({ values, merchantId, isNullable: _, ...props }) => {
  const { t } = useTranslation(['screen-configuration', 'shell'])
  const { value: pages, set, input, isFixed } = useField<ScreenPage[], Record<string, unknown>>(props)
  const products = useProductChoices(merchantId)
  const [at, setAt] = useState(0)
  const [buttonAt, setButtonAt] = useState<number>()
  const languages = values.languages as Language[]
  const [spoken, setSpoken] = useState<Language>()
  const language = spoken && languages.includes(spoken) ? spoken : (languages[0] ?? 'en')
  const [shows, setShows] = useState<'menu' | 'idle'>('menu')
  const page = pages[Math.min(at, pages.length - 1)]
  const here = page ? pages.indexOf(page) : 0
  const button = buttonAt === undefined ? undefined : page?.buttons[buttonAt]
  const setPage = (some: Partial<ScreenPage>) =>
    set(pages.map((one, index) => (index === here ? { ...one, ...some } : one)))
  const setButton = (some: Partial<ScreenButton>) =>
    page && setPage({ buttons: page.buttons.map((one, index) => (index === buttonAt ? { ...one, ...some } : one)) })
  const open = (index: number) => {
    setAt(index)
    setButtonAt(undefined)
  }
  const [first] = products?.byId.keys() ?? []
  const addButton = () => {
    if (!page || !first) return
    const buttons: ScreenButton[] = [
      ...page.buttons,
      { selection: freeSelection(page.buttons), productId: first, texts: {}, picture: 'product', fileId: null },
    ]
    setPage({ buttons })
    setButtonAt(buttons.length - 1)
  }
  const titleOf = (one: ScreenPage, index: number) =>
    one.titles[language] ||
    one.titles[languages[0] ?? 'en'] ||
    t('screen-configuration:page.number', { number: index + 1 })
  return (
    <Columns of="minmax(0, 1.3fr) minmax(260px, 1fr)" from="sm" gap="far" miw={0} className="whole">
      <Stack gap="sm" miw={0}>
        <Flex rowGap="near" columnGap="sm" wrap="wrap" align="flex-end">
          <SegmentedControl
            aria-label={t('screen-configuration:preview.shows')}
            value={shows}
            onChange={(next) => setShows(next as 'menu' | 'idle')}
            data={[
              { value: 'menu', label: t('screen-configuration:preview.menu') },
              { value: 'idle', label: t('screen-configuration:preview.idle') },
            ]}
          />
          {languages.length > 1 && (
            <SegmentedControl
              aria-label={t('screen-configuration:preview.language')}
              value={language}
              onChange={(next) => setSpoken(next as Language)}
              data={languages.map((one) => ({ value: one, label: one.toUpperCase() }))}
            />
          )}
        </Flex>
        <ScreenPreview
          // Cast: a form's values are of any kind; this form has the fields of a screen configuration.
          content={values as unknown as NewScreenConfiguration}
          merchantId={merchantId}
          products={products}
          language={language}
          page={here}
          isIdle={shows === 'idle'}
          buttonAt={buttonAt}
          isFixed={isFixed}
          choose={setButtonAt}
          openPage={open}
          move={(from, to) => {
            if (!page) return
            setPage({ buttons: moved(page.buttons, from, to) })
            setButtonAt(to)
          }}
        />
      </Stack>
      <Stack gap="sm" miw={0} className={classes.panel}>
        <Flex component="fieldset" gap="snug" wrap="wrap" aria-label={t('screen-configuration:field.pages')}>
          {pages.map((one, index) => (
            <Button
              // A page is identified by its position alone.
              key={index}
              size="xs"
              variant={index === here ? 'filled' : 'default'}
              aria-pressed={index === here}
              onClick={() => open(index)}
            >
              {titleOf(one, index)}
            </Button>
          ))}
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={isFixed || pages.length >= mostScreenPages}
            onClick={() => {
              set([...pages, { titles: {}, buttons: [] }])
              open(pages.length)
            }}
          >
            {t('screen-configuration:page.add')}
          </Button>
        </Flex>
        {page && (
          <>
            <TextsInputs
              label={t('screen-configuration:page.title')}
              languages={languages}
              texts={page.titles}
              isFixed={isFixed}
              change={(titles) => setPage({ titles })}
            />
            <Flex rowGap="near" columnGap="sm" wrap="wrap" align="flex-end">
              <ActionIcon
                variant="default"
                aria-label={t('screen-configuration:page.earlier')}
                disabled={isFixed || here === 0}
                onClick={() => {
                  set(moved(pages, here, here - 1))
                  open(here - 1)
                }}
              >
                <IconArrowLeft size={15} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="default"
                aria-label={t('screen-configuration:page.later')}
                disabled={isFixed || here === pages.length - 1}
                onClick={() => {
                  set(moved(pages, here, here + 1))
                  open(here + 1)
                }}
              >
                <IconArrowRight size={15} aria-hidden />
              </ActionIcon>
              <Button
                variant="subtle"
                leftSection={<IconTrash size={15} aria-hidden />}
                disabled={isFixed}
                onClick={() => {
                  set(pages.filter((one) => one !== page))
                  open(Math.max(0, here - 1))
                }}
              >
                {t('screen-configuration:page.remove')}
              </Button>
            </Flex>
            <Button
              variant="default"
              leftSection={<IconPlus size={15} aria-hidden />}
              disabled={isFixed || !first || page.buttons.length >= mostScreenButtons}
              onClick={addButton}
            >
              {t('screen-configuration:button.add')}
            </Button>
            {products && !first && (
              <Text c="dimmed" fz="fine">
                {t('screen-configuration:button.noProducts')}
              </Text>
            )}
            {button && buttonAt !== undefined && products && merchantId && (
              <ButtonPanel
                key={`${here} ${buttonAt}`}
                button={button}
                number={buttonAt + 1}
                products={products}
                languages={languages}
                merchantId={merchantId}
                isFixed={isFixed}
                error={props.form.errors[`pages.${here}.buttons.${buttonAt}.selection`]}
                change={setButton}
                remove={() => {
                  setPage({ buttons: page.buttons.filter((_, index) => index !== buttonAt) })
                  setButtonAt(undefined)
                }}
              />
            )}
          </>
        )}
        {input.error && (
          <Text c="crit" fz="fine" role="alert">
            {input.error}
          </Text>
        )}
      </Stack>
    </Columns>
  )
}
