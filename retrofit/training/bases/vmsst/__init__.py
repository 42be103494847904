"""Train VMSST (Wieting et al. 2023): separate the meaning shared by translations from language information.

::

    x_i or x_j  ── semantic encoder ── mean, project ──> q(z_sem)  ─┐
    x, language ── language encoder ── mean, project ──> q(z_lang) ─┴─ decoder(language, z) ──> x

    translation     - log p(x_i | mu_sem(x_j)) - log p(x_j | mu_sem(x_i))       BiTranslation is this alone
    reconstruction  - log p(x_i | z_sem, z_i) - log p(x_j | z_sem, z_j)         z_sem from x_i or x_j in turn
    kl              KL(q || N(0, 1)) of z_sem, z_i and z_j, its weight rising from 0 to 1
    contrast        in-batch InfoNCE of mu_sem, both directions                 Contrastive is this alone

    total = translation + elbo (reconstruction + kl)                            VMSST
    total = contrast + λ (translation + elbo (reconstruction + kl))             VMSST Contrastive

The decoder has no cross-attention: its only information on a sentence are the latents. The sentence vector is
mu_sem.
Source: John Wieting, Jonathan Clark, William Cohen, Graham Neubig and Taylor Berg-Kirkpatrick, Beyond
Contrastive Learning: A Variational Generative Model for Multilingual Retrieval, ACL 2023 (arXiv:2212.10726).
"""
