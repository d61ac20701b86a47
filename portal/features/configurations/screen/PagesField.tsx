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
import type { DrawField, RecordField } from '#portal/ui/form/record/RecordFields.tsx'
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

/** The pages of a menu, the edited page, and its selected button. */
function usePages({ values: _, merchantId, isNullable: __, ...props }: RecordField) {
  const { value: pages, set, input, isFixed } = useField<ScreenPage[], Record<string, unknown>>(props)
  const products = useProductChoices(merchantId)
  const [pageAt, setPageAt] = useState(0)
  const [buttonAt, setButtonAt] = useState<number>()
  const page = pages[Math.min(pageAt, pages.length - 1)]
  const here = page ? pages.indexOf(page) : 0
  const [firstProduct] = products?.byId.keys() ?? []
  const setPage = (some: Partial<ScreenPage>) =>
    set(pages.map((one, index) => (index === here ? { ...one, ...some } : one)))
  const openPage = (index: number) => {
    setPageAt(index)
    setButtonAt(undefined)
  }
  return {
    pages,
    page,
    here,
    products,
    firstProduct,
    merchantId,
    isFixed,
    error: input.error,
    selectionError: props.form.errors[`pages.${here}.buttons.${buttonAt}.selection`],
    button: buttonAt === undefined ? undefined : page?.buttons[buttonAt],
    buttonAt,
    setButtonAt,
    openPage,
    setPage,
    addPage: () => {
      set([...pages, { titles: {}, buttons: [] }])
      openPage(pages.length)
    },
    movePage: (to: number) => {
      set(moved(pages, here, to))
      openPage(to)
    },
    removePage: () => {
      set(pages.filter((one) => one !== page))
      openPage(Math.max(0, here - 1))
    },
    addButton: () => {
      if (!page || !firstProduct) return
      const buttons: ScreenButton[] = [
        ...page.buttons,
        {
          selection: freeSelection(page.buttons),
          productId: firstProduct,
          texts: {},
          picture: 'product',
          fileId: null,
        },
      ]
      setPage({ buttons })
      setButtonAt(buttons.length - 1)
    },
    setButton: (some: Partial<ScreenButton>) =>
      page && setPage({ buttons: page.buttons.map((one, index) => (index === buttonAt ? { ...one, ...some } : one)) }),
    moveButton: (from: number, to: number) => {
      if (!page) return
      setPage({ buttons: moved(page.buttons, from, to) })
      setButtonAt(to)
    },
    removeButton: () => {
      if (!page) return
      setPage({ buttons: page.buttons.filter((_, index) => index !== buttonAt) })
      setButtonAt(undefined)
    },
  }
}

interface PageProps {
  menu: ReturnType<typeof usePages>
  languages: readonly Language[]
}

/** The menu: its pages beside a live preview, in which buttons are chosen and dragged. */
export const PagesField: DrawField = (field) => {
  const { values } = field
  const menu = usePages(field)
  const languages = values.languages as Language[]
  const [spoken, setSpoken] = useState<Language>()
  const language = spoken && languages.includes(spoken) ? spoken : (languages[0] ?? 'en')
  return (
    <Columns of="minmax(0, 1.3fr) minmax(260px, 1fr)" from="sm" gap="far" miw={0} className="whole">
      <MenuPreview
        menu={menu}
        languages={languages}
        content={values as NewScreenConfiguration}
        language={language}
        setLanguage={setSpoken}
      />
      <Stack gap="sm" miw={0} className={classes.panel}>
        <PageTabs menu={menu} languages={languages} language={language} />
        <PageEditor menu={menu} languages={languages} />
        {menu.error && (
          <Text c="crit" fz="fine" role="alert">
            {menu.error}
          </Text>
        )}
      </Stack>
    </Columns>
  )
}

interface PreviewProps extends PageProps {
  content: NewScreenConfiguration
  language: Language
  setLanguage: (language: Language) => void
}

/** The page, or the idle screen, as a machine shows it in one language. */
function MenuPreview({ menu, languages, content, language, setLanguage }: PreviewProps) {
  const { t } = useTranslation('screen-configuration')
  const [view, setView] = useState<'menu' | 'idle'>('menu')
  return (
    <Stack gap="sm" miw={0}>
      <Flex rowGap="near" columnGap="sm" wrap="wrap" align="flex-end">
        <SegmentedControl
          aria-label={t('preview.shows')}
          value={view}
          onChange={(next) => setView(next as 'menu' | 'idle')}
          data={[
            { value: 'menu', label: t('preview.menu') },
            { value: 'idle', label: t('preview.idle') },
          ]}
        />
        {languages.length > 1 && (
          <SegmentedControl
            aria-label={t('preview.language')}
            value={language}
            onChange={(next) => setLanguage(next as Language)}
            data={languages.map((one) => ({ value: one, label: one.toUpperCase() }))}
          />
        )}
      </Flex>
      <ScreenPreview
        content={content}
        merchantId={menu.merchantId}
        products={menu.products}
        language={language}
        page={menu.here}
        isIdle={view === 'idle'}
        buttonAt={menu.buttonAt}
        isFixed={menu.isFixed}
        choose={menu.setButtonAt}
        openPage={menu.openPage}
        move={menu.moveButton}
      />
    </Stack>
  )
}

/** A button per page, by its title. */
function PageTabs({ menu, languages, language }: PageProps & { language: Language }) {
  const { t } = useTranslation('screen-configuration')
  const { pages, here, isFixed } = menu
  const titleOf = (one: ScreenPage, index: number) =>
    one.titles[language] || one.titles[languages[0] ?? 'en'] || t('page.number', { number: index + 1 })
  return (
    <Flex component="fieldset" gap="snug" wrap="wrap" aria-label={t('field.pages')}>
      {pages.map((one, index) => (
        <Button
          // A page is identified by its position alone.
          key={index}
          size="xs"
          variant={index === here ? 'filled' : 'default'}
          aria-pressed={index === here}
          onClick={() => menu.openPage(index)}
        >
          {titleOf(one, index)}
        </Button>
      ))}
      <Button
        size="xs"
        variant="subtle"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={isFixed || pages.length >= mostScreenPages}
        onClick={menu.addPage}
      >
        {t('page.add')}
      </Button>
    </Flex>
  )
}

/** The title, the place and the buttons of a page. */
function PageEditor({ menu, languages }: PageProps) {
  const { t } = useTranslation('screen-configuration')
  const { page, here, products, firstProduct, merchantId, button, buttonAt, isFixed } = menu
  if (!page) return null
  return (
    <>
      <TextsInputs
        label={t('page.title')}
        languages={languages}
        texts={page.titles}
        isFixed={isFixed}
        change={(titles) => menu.setPage({ titles })}
      />
      <PageTools menu={menu} />
      <Button
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        disabled={isFixed || !firstProduct || page.buttons.length >= mostScreenButtons}
        onClick={menu.addButton}
      >
        {t('button.add')}
      </Button>
      {products && !firstProduct && (
        <Text c="dimmed" fz="fine">
          {t('button.noProducts')}
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
          error={menu.selectionError}
          change={menu.setButton}
          remove={menu.removeButton}
        />
      )}
    </>
  )
}

/** Moves and removes the page. */
function PageTools({ menu: { pages, here, isFixed, movePage, removePage } }: Pick<PageProps, 'menu'>) {
  const { t } = useTranslation('screen-configuration')
  return (
    <Flex rowGap="near" columnGap="sm" wrap="wrap" align="flex-end">
      <ActionIcon
        variant="default"
        aria-label={t('page.earlier')}
        disabled={isFixed || here === 0}
        onClick={() => movePage(here - 1)}
      >
        <IconArrowLeft size={15} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={t('page.later')}
        disabled={isFixed || here === pages.length - 1}
        onClick={() => movePage(here + 1)}
      >
        <IconArrowRight size={15} aria-hidden />
      </ActionIcon>
      <Button
        variant="subtle"
        leftSection={<IconTrash size={15} aria-hidden />}
        disabled={isFixed}
        onClick={removePage}
      >
        {t('page.remove')}
      </Button>
    </Flex>
  )
}
