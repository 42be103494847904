const box = document.querySelector(".index input"), count = document.querySelector(".index p");
const fold = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const cards = [...document.querySelectorAll(".card")], links = [...document.querySelectorAll(".index li")];
const texts = cards.map(card => fold(card.textContent));
const search = () => {
  const terms = fold(box.value).split(/\s+/);
  let shown = 0;
  cards.forEach((card, i) => {
    const meets = terms.every(term => texts[i].includes(term));
    card.hidden = links[i].hidden = !meets;
    shown += meets;
  });
  for (const part of document.querySelectorAll("section.group"))
    part.hidden = !part.querySelector(".card:not([hidden])");
  count.textContent = shown + " of " + cards.length + " graphs";
};
box.hidden = false;
box.addEventListener("input", search);
addEventListener("hashchange", () => {
  const card = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (card && card.hidden) { box.value = ""; search(); card.scrollIntoView(); }
});
